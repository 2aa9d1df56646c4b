-- The overview asks how long those waited that started in the last day.
create index job_first_started on job (first_started_at) where first_started_at is not null;
