-- The leader names a connection that it holds as long as it lives. A server that is killed loses it at once, and another may
-- lead without waiting for the lease to run out; the lease stays for those who are cut off or hang.
alter table scheduler_epoch add column session_pid integer;
alter table scheduler_epoch add column session_since timestamptz;
