-- Usage is summed anew for what changed lately and booked as the difference, so lost work needs its own sum per job, and
-- what was released lately an index.
alter table job_usage add column lost_gpu_seconds bigint not null default 0;
create index replica_released on replica (released_at) where released_at is not null;
create index attempt_ended on attempt (ended_at) where ended_at is not null;
