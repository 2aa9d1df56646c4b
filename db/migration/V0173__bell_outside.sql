-- Servers ring for events after their commit, once for all of a moment: a NOTIFY in a transaction takes a lock of the whole
-- installation until the commit is on disk, so that transactions reach the disk one by one instead of in groups.
drop trigger job_event_told on job_event;
drop function tell_job_event();
