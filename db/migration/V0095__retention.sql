-- What grows is thrown away in small pieces, oldest first. What hangs on a job goes a while after its end, job by job:
-- the mark says up to which ended job a shelf is clear, so that finding what is old reads nothing else.
create index job_ended on job (ended_at, id) where ended_at is not null;
create table retention_mark (
    shelf text primary key,
    ended_at timestamptz not null,
    job_id bigint not null
);
create index api_token_ended on api_token ((least(revoked_at, expires_at)));
create index virtual_attempt_over on virtual_attempt (created_at) where gone;
