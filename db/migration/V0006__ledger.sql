-- What the loop promises and intends. A commit begins by updating scheduler_epoch where epoch = mine; no row, no commit.
create table scheduler_epoch (
    one boolean primary key default true check (one),
    epoch bigint not null,
    holder text not null,
    renewed_at timestamptz not null
);
insert into scheduler_epoch values (true, 0, '', 'epoch');

create table reservation (
    id uuid primary key,
    job_id bigint not null references job (id),
    pool text not null,
    kind text not null constraint reservation_kind check (kind in ('VICTIMS', 'HEAD')),
    start_at timestamptz,
    created_at timestamptz not null,
    free_since timestamptz,
    expires_at timestamptz,
    victims bigint[] not null default '{}'
);
create unique index reservation_job on reservation (job_id);
create table reservation_place (
    reservation_id uuid not null references reservation (id) on delete cascade,
    grp text not null,
    idx integer not null,
    node text not null,
    gpus integer not null,
    cpu_millis bigint not null,
    memory_bytes bigint not null,
    primary key (reservation_id, grp, idx)
);

-- The outbox: what a cluster is to be told. Claimed with SKIP LOCKED; order is kept per job.
create table cluster_command (
    id bigint generated always as identity primary key,
    job_id bigint not null references job (id),
    attempt integer not null,
    kind text not null constraint cluster_command_kind check (kind in ('START', 'SIGNAL', 'STOP')),
    payload jsonb not null,
    created_at timestamptz not null,
    not_before timestamptz not null default now(),
    claimed_by text,
    claimed_until timestamptz,
    tries integer not null default 0,
    done_at timestamptz,
    outcome text constraint cluster_command_outcome check (outcome in ('DONE', 'REFUSED', 'SUPERSEDED')),
    why text
);
create index cluster_command_open on cluster_command (not_before, id) where done_at is null;
create index cluster_command_job on cluster_command (job_id, id) where done_at is null;

-- One row per cycle that decided something, and one a minute otherwise: what it saw, under which policy, how long.
create table scheduling_cycle (
    id bigint generated always as identity primary key,
    epoch bigint not null,
    as_of timestamptz not null,
    committed_at timestamptz not null default now(),
    policy_revision bigint not null,
    waiting integer not null,
    running integer not null,
    started integer not null,
    preempted integer not null,
    breaches integer not null,
    snapshot_micros bigint not null,
    plan_micros bigint not null,
    verify_micros bigint not null,
    commit_micros bigint not null
);

-- The newest share of each team and pool, and its history by the minute.
create table share (
    team_id uuid not null,
    pool text not null,
    as_of timestamptz not null,
    body jsonb not null,
    primary key (team_id, pool)
);
create table share_history (
    at timestamptz not null,
    team_id uuid not null,
    pool text not null,
    deserved integer not null,
    entitlement integer not null,
    allocated integer not null,
    demand integer not null,
    primary key (pool, at, team_id)
);
