-- Jobs and all that happens to them. A job's row changes by compare-and-set on its version only.
create table job (
    id bigint generated always as identity primary key,
    team_id uuid not null references team (id),
    submitted_by uuid not null references principal (id),
    name text not null,
    revision integer not null default 1,
    priority_class text not null,
    preemptible boolean not null,
    gpus integer not null,
    replicas integer not null,
    labels jsonb not null default '{}',
    state text not null constraint job_state check (state in
        ('QUEUED', 'STARTING', 'RUNNING', 'CHECKPOINTING', 'STOPPING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'HELD')),
    after_state text constraint job_after check (after_state in
        ('RUNNING', 'QUEUED', 'SUCCEEDED', 'FAILED', 'HELD', 'CANCELLED')),
    attempt integer not null default 0,
    submitted_at timestamptz not null,
    waiting_since timestamptz not null,
    first_started_at timestamptz,
    ended_at timestamptz,
    pool text,
    hold_why text,
    backoff_until timestamptz,
    backoff_after text,
    excluded_nodes text[] not null default '{}',
    not_beside bigint[] not null default '{}',
    ran_seconds bigint not null default 0,
    user_retries_used integer not null default 0,
    infrastructure_retries_used integer not null default 0,
    preempted_at timestamptz[] not null default '{}',
    protected_until timestamptz,
    resume_path text,
    resume_step bigint,
    failure text,
    failure_message text,
    never_fits boolean not null default false,
    version bigint not null default 0,
    changed xid8 not null default pg_current_xact_id(),
    constraint job_after_present check ((state in ('CHECKPOINTING', 'STOPPING')) = (after_state is not null)),
    constraint job_end check ((state in ('SUCCEEDED', 'FAILED', 'CANCELLED')) = (ended_at is not null))
);
create trigger job_changed before insert or update on job for each row execute function stamp_changed();
create index job_changed_at on job (changed);
create index job_open on job (id) where state not in ('SUCCEEDED', 'FAILED', 'CANCELLED');
create index job_state_list on job (state, id desc);
create index job_team_list on job (team_id, id desc);
create index job_user_list on job (submitted_by, id desc);

create table job_document (
    job_id bigint not null references job (id),
    revision integer not null,
    document jsonb not null,
    by uuid not null,
    at timestamptz not null,
    primary key (job_id, revision)
);

create table attempt (
    job_id bigint not null references job (id),
    number integer not null,
    revision integer not null,
    pool text not null,
    gpu_type text not null,
    level text,
    domain text[] not null default '{}',
    backfilled boolean not null default false,
    placed_at timestamptz not null,
    running_at timestamptz,
    ended_at timestamptz,
    failure text,
    exit_code integer,
    message text,
    first_failing text,
    resume_path text,
    resume_step bigint,
    beneficiary bigint,
    signal_id uuid,
    signal_at timestamptz,
    signal_deadline timestamptz,
    signal_then_stop boolean,
    saved_at timestamptz,
    last_checkpoint_at timestamptz,
    last_checkpoint_step bigint,
    first_step_at timestamptz,
    step bigint,
    of_steps bigint,
    loss double precision,
    progress_at timestamptz,
    program_finished boolean not null default false,
    lost_gpu_seconds bigint not null default 0,
    changed xid8 not null default pg_current_xact_id(),
    primary key (job_id, number)
);
create trigger attempt_changed before insert or update on attempt for each row execute function stamp_changed();
create index attempt_changed_at on attempt (changed);

-- One pod, and the ledger of allocations: a row whose released_at is null holds its GPUs on its node.
create table replica (
    job_id bigint not null,
    attempt integer not null,
    grp text not null,
    idx integer not null,
    rank_order integer not null,
    node text not null,
    gpus integer not null,
    cpu_millis bigint not null,
    memory_bytes bigint not null,
    phase text not null default 'PLANNED' constraint replica_phase check (phase in
        ('PLANNED', 'PENDING', 'PULLING', 'RUNNING', 'TERMINATING', 'SUCCEEDED', 'FAILED', 'GONE')),
    reason text,
    exit_code integer,
    failure text,
    message text,
    phase_at timestamptz,
    started_at timestamptz,
    released_at timestamptz,
    changed xid8 not null default pg_current_xact_id(),
    primary key (job_id, attempt, grp, idx),
    foreign key (job_id, attempt) references attempt (job_id, number)
);
create trigger replica_changed before insert or update on replica for each row execute function stamp_changed();
create index replica_held on replica (node) where released_at is null;
create index replica_changed_at on replica (changed);
create index replica_live on replica (job_id, attempt) where released_at is null;

create table checkpoint (
    id bigint generated always as identity primary key,
    job_id bigint not null references job (id),
    attempt integer not null,
    step bigint not null,
    path text not null,
    bytes bigint,
    signal_id uuid,
    at timestamptz not null
);
create unique index checkpoint_once on checkpoint (job_id, attempt, step, path);
create index checkpoint_newest on checkpoint (job_id, id desc);

-- Append-only history. Server-sent events tail it by id; partitioned by time for retention.
create sequence job_event_id;
create table job_event (
    id bigint not null default nextval('job_event_id'),
    at timestamptz not null,
    job_id bigint not null,
    team_id uuid not null,
    attempt integer not null,
    kind text not null,
    from_state text,
    to_state text,
    actor uuid,
    why text not null,
    data jsonb not null default '{}',
    tx xid8 not null default pg_current_xact_id(),
    primary key (at, id)
) partition by range (at);
create table job_event_rest partition of job_event default;
create index job_event_job on job_event (job_id, id);
create index job_event_tail on job_event (id);

create table log_chunk (
    job_id bigint not null,
    attempt integer not null,
    grp text not null,
    idx integer not null,
    first_line bigint not null,
    lines integer not null,
    raw_bytes integer not null,
    body bytea not null,
    at timestamptz not null,
    primary key (job_id, attempt, grp, idx, first_line)
);
create table log_dropped (
    job_id bigint not null,
    attempt integer not null,
    grp text not null,
    idx integer not null,
    lines bigint not null,
    primary key (job_id, attempt, grp, idx)
);

create table idempotency_key (
    principal_id uuid not null,
    key text not null,
    body_hash bytea not null,
    job_id bigint not null,
    created_at timestamptz not null default now(),
    primary key (principal_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- The current explanation of each waiting job, rewritten only when it changes.
create table explanation (
    job_id bigint primary key references job (id),
    as_of timestamptz not null,
    place integer not null,
    body jsonb not null,
    digest bytea not null
);
