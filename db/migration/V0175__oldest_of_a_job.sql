-- Each due command is claimed only if it is its job's oldest. That is looked up by job; with the same condition as the index
-- of what is due, Postgres took that one for the look-up whenever its statistics were made while nothing was open, and read
-- all open commands for each due one. No command is done without an outcome, nor has one before.
drop index cluster_command_job;
create index cluster_command_job on cluster_command (job_id, id) where outcome is null;
