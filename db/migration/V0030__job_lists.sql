-- Lists of jobs show shape and expected end: kept on the row, so that a page of a list reads no documents.
alter table job add column shape jsonb not null default '[]';
alter table job add column walltime_seconds bigint;

-- Event streams go on from (tx, id): every transaction below the snapshot's xmin is over, so nothing commits behind them.
create index job_event_tx on job_event (tx, id);

-- Wakes those who tail the events. The payload is empty, so that one transaction wakes once however much it wrote.
create function tell_job_event() returns trigger language plpgsql as $$
begin
    perform pg_notify('muster_job_event', '');
    return null;
end $$;
create trigger job_event_told after insert on job_event for each statement execute function tell_job_event();
