-- The virtual cluster: what a real one would remember by itself, so that it goes on where a stopped server left it.
-- What its pods do is computed from these rows and the clock; only what people and Muster did to them is written here.

-- Where domain time stands: instant = domain_at + (real time - real_at) x scale. No row: domain time is real time.
create table domain_clock (
    one boolean primary key default true check (one),
    real_at timestamptz not null,
    domain_at timestamptz not null,
    scale numeric not null constraint domain_clock_scale check (scale > 0)
);

create table virtual_node (
    node text primary key,
    spec jsonb not null,
    version bigint not null default 1,
    told_version bigint not null default 0,
    -- Its object does not exist: the fleet lacks it, or its failure was noticed for good.
    deleted boolean not null default false,
    failed_at timestamptz,
    given_up_at timestamptz,
    next_failure_at timestamptz,
    repaired_at timestamptz,
    outages bigint not null default 0
);

-- Images that a node has, or will have once the pull that is under way is over.
create table virtual_image (
    node text not null,
    image text not null,
    ready_at timestamptz not null,
    primary key (node, image)
);

-- One attempt. Facts up to told_until have reached the observer; those up to telling_until may have. What changes a row
-- takes effect after telling_until, so that whatever was or may have been told stays true.
create table virtual_attempt (
    job_id bigint not null,
    attempt integer not null,
    seed bigint not null,
    env jsonb not null,
    checkpoint_path text,
    checkpoint_every_ms bigint,
    resume_step bigint not null,
    created_at timestamptz not null,
    deleted_at timestamptz,
    grace_ms bigint,
    version bigint not null default 0,
    told_until timestamptz not null,
    telling_until timestamptz not null,
    next_due_at timestamptz,
    gone boolean not null default false,
    primary key (job_id, attempt)
);
create index virtual_attempt_due on virtual_attempt (next_due_at) where next_due_at is not null;
create index virtual_attempt_there on virtual_attempt (job_id, attempt) where not gone;

create table virtual_pod (
    job_id bigint not null,
    attempt integer not null,
    rank_order integer not null,
    grp text not null,
    idx integer not null,
    node text not null,
    gpus integer not null,
    cpu_millis bigint not null,
    memory_bytes bigint not null,
    image text not null,
    pull_ms bigint not null,
    lost_at timestamptz,
    lost_proven_at timestamptz,
    node_deleted boolean not null default false,
    ordered_end_at timestamptz,
    ordered_exit_code integer,
    ended boolean not null default false,
    gone boolean not null default false,
    primary key (job_id, attempt, rank_order),
    foreign key (job_id, attempt) references virtual_attempt (job_id, attempt) on delete cascade
);
create index virtual_pod_holds on virtual_pod (node) where not ended;
create index virtual_pod_on on virtual_pod (node) where not gone;

create table virtual_signal (
    job_id bigint not null,
    attempt integer not null,
    id uuid not null,
    asked_at timestamptz not null,
    then_stop boolean not null,
    primary key (job_id, attempt, id),
    foreign key (job_id, attempt) references virtual_attempt (job_id, attempt) on delete cascade
);

-- Of several servers only the holder of this lease tells what happens. Real time, by the database's clock.
create table virtual_host (
    one boolean primary key default true check (one),
    holder text not null,
    held_until timestamptz not null
);
insert into virtual_host values (true, '', 'epoch');
