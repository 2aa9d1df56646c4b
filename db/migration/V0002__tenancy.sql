-- Who there is: the tree of teams, principals (people and service accounts), memberships, quotas and defaults.
create table principal (
    id uuid primary key,
    kind text not null constraint principal_kind check (kind in ('USER', 'SERVICE_ACCOUNT')),
    username text not null constraint principal_username check (username ~ '^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$'),
    display_name text not null,
    platform_admin boolean not null default false,
    team_id uuid,
    disabled_at timestamptz,
    created_at timestamptz not null default now(),
    version bigint not null default 0,
    constraint principal_service_team check ((kind = 'SERVICE_ACCOUNT') = (team_id is not null))
);
create unique index principal_username_unique on principal (username);

create table identity (
    issuer text not null,
    subject text not null,
    principal_id uuid not null references principal (id),
    password_hash text,
    must_change boolean not null default false,
    changed_at timestamptz not null default now(),
    primary key (issuer, subject)
);
create index identity_principal on identity (principal_id);

create table team (
    id uuid primary key,
    parent_id uuid references team (id),
    name text not null constraint team_name check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    path text not null,
    display_name text not null,
    archived_at timestamptz,
    created_at timestamptz not null default now(),
    version bigint not null default 0
);
create unique index team_path_unique on team (path);
create index team_parent on team (parent_id);
alter table principal add constraint principal_team foreign key (team_id) references team (id);

create table membership (
    team_id uuid not null references team (id),
    principal_id uuid not null references principal (id),
    role text not null constraint membership_role check (role in ('VIEWER', 'MEMBER', 'TEAM_ADMIN')),
    source text not null default 'LOCAL' constraint membership_source check (source in ('LOCAL', 'GROUP')),
    added_at timestamptz not null default now(),
    version bigint not null default 0,
    primary key (team_id, principal_id)
);
create index membership_principal on membership (principal_id);

create table quota (
    team_id uuid not null references team (id),
    pool text not null,
    guaranteed integer not null constraint quota_guaranteed check (guaranteed >= 0),
    gpu_limit integer constraint quota_limit check (gpu_limit >= 0),
    lendable integer constraint quota_lendable check (lendable >= 0),
    weight integer not null constraint quota_weight check (weight between 1 and 1000000),
    version bigint not null default 0,
    primary key (team_id, pool)
);

create table team_defaults (
    team_id uuid primary key references team (id),
    cpu_millis_per_gpu bigint,
    memory_bytes_per_gpu bigint,
    shared_memory_bytes bigint,
    walltime_seconds bigint,
    max_walltime_seconds bigint,
    image_allowlist text[] not null default '{}',
    user_gpu_cap integer,
    user_queue_cap integer,
    version bigint not null default 0
);

create table team_volume (
    team_id uuid not null references team (id),
    name text not null,
    claim text not null,
    sub_path text,
    read_only boolean not null default false,
    version bigint not null default 0,
    primary key (team_id, name)
);

-- One row whose number grows with every change above, so that caches of every server follow.
create table tenancy_revision (
    one boolean primary key default true check (one),
    revision bigint not null
);
insert into tenancy_revision values (true, 1);
create function bump_tenancy() returns trigger language plpgsql as $$
begin
    update tenancy_revision set revision = revision + 1;
    return null;
end $$;
create trigger team_bump after insert or update or delete on team for each statement execute function bump_tenancy();
create trigger quota_bump after insert or update or delete on quota for each statement execute function bump_tenancy();
create trigger defaults_bump after insert or update or delete on team_defaults for each statement execute function bump_tenancy();
create trigger volume_bump after insert or update or delete on team_volume for each statement execute function bump_tenancy();

-- History of quotas, so that any week can be replayed.
create table quota_history (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    team_id uuid not null,
    pool text not null,
    guaranteed integer,
    gpu_limit integer,
    lendable integer,
    weight integer,
    gone boolean not null default false
);
create function keep_quota() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        insert into quota_history (team_id, pool, gone) values (old.team_id, old.pool, true);
    else
        insert into quota_history (team_id, pool, guaranteed, gpu_limit, lendable, weight)
        values (new.team_id, new.pool, new.guaranteed, new.gpu_limit, new.lendable, new.weight);
    end if;
    return null;
end $$;
create trigger quota_keep after insert or update or delete on quota for each row execute function keep_quota();
