-- How large an attempt is: an elastic job's attempts differ, and what an attempt holds shrinks as its replicas end. What
-- a job has used is counted attempt by attempt, therefore.
alter table attempt add column replicas integer not null default 0;
alter table attempt add column gpus integer not null default 0;
alter table job add column ran_gpu_seconds bigint not null default 0;

update attempt a
set replicas = r.replicas, gpus = r.gpus
from (select job_id, attempt, count(*) as replicas, sum(gpus) as gpus from replica group by job_id, attempt) r
where r.job_id = a.job_id and r.attempt = a.number;
update job set ran_gpu_seconds = ran_seconds * gpus where ran_seconds > 0;
