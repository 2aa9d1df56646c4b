-- What people decided about scheduling: revisions of the policy, priority classes, the operating mode. Rows are kept.
create table policy_revision (
    number bigint generated always as identity primary key,
    body jsonb not null,
    since timestamptz not null default now(),
    by text not null,
    why text not null
);

create table priority_class (
    name text primary key constraint priority_class_name check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    value integer not null,
    usable_by text not null constraint priority_class_usable check (usable_by in ('MEMBER', 'TEAM_ADMIN', 'GRANTED')),
    across_teams boolean not null default false,
    version bigint not null default 0
);
create table priority_class_cap (
    class text not null references priority_class (name),
    pool text not null,
    gpus integer not null constraint priority_class_cap_gpus check (gpus >= 0),
    primary key (class, pool)
);
create table priority_class_grant (
    class text not null references priority_class (name),
    team_id uuid not null references team (id),
    granted_by text not null,
    granted_at timestamptz not null default now(),
    primary key (class, team_id)
);
insert into priority_class (name, value, usable_by, across_teams) values
    ('low', -100, 'MEMBER', false),
    ('normal', 0, 'MEMBER', false),
    ('high', 100, 'TEAM_ADMIN', false),
    ('urgent', 1000, 'TEAM_ADMIN', false),
    ('production', 2000, 'GRANTED', true);

create table operating_mode (
    id bigint generated always as identity primary key,
    mode text not null constraint operating_mode_mode check (mode in ('PAUSED', 'FROZEN', 'SAFE')),
    pool text,
    team_id uuid references team (id),
    by text not null,
    since timestamptz not null default now(),
    why text not null,
    ended_at timestamptz,
    ended_by text,
    ended_why text,
    constraint operating_mode_scope check (mode = 'PAUSED' or (pool is null and team_id is null)),
    constraint operating_mode_one_scope check (pool is null or team_id is null)
);
create unique index operating_mode_current on operating_mode (mode, coalesce(pool, ''), coalesce(team_id::text, '')) where ended_at is null;

create table policy_change (
    one boolean primary key default true check (one),
    revision bigint not null
);
insert into policy_change values (true, 1);
create function bump_policy() returns trigger language plpgsql as $$
begin
    update policy_change set revision = revision + 1;
    return null;
end $$;
create trigger policy_revision_bump after insert or update or delete on policy_revision for each statement execute function bump_policy();
create trigger priority_class_bump after insert or update or delete on priority_class for each statement execute function bump_policy();
create trigger priority_class_cap_bump after insert or update or delete on priority_class_cap for each statement execute function bump_policy();
create trigger priority_class_grant_bump after insert or update or delete on priority_class_grant for each statement execute function bump_policy();
create trigger operating_mode_bump after insert or update or delete on operating_mode for each statement execute function bump_policy();
