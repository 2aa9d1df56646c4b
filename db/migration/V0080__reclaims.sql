-- The policy limits how many GPUs are reclaimed outside guarantees within a window, over all cycles and all servers: what
-- was asked back stands here until it is older than any window. An attempt is asked once.
create table reclaim (
    at timestamptz not null,
    pool text not null,
    job_id bigint not null,
    attempt integer not null,
    beneficiary bigint not null,
    gpus integer not null constraint reclaim_gpus check (gpus >= 0),
    primary key (job_id, attempt)
);
create index reclaim_at on reclaim (at);
