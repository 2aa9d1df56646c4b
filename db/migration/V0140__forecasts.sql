-- What people were told of when their jobs would start, and how it came out. A row when a forecast says something new;
-- raw is what the run ahead had said before its correction, from which the next correction is learned.
create table start_forecast (
    job_id bigint not null,
    made_at timestamptz not null,
    model text not null,
    raw_p50 timestamptz,
    raw_p90 timestamptz,
    p50 timestamptz,
    p90 timestamptz,
    later_than timestamptz,
    primary key (job_id, made_at)
);
create index start_forecast_made on start_forecast (made_at);

-- One row for each start that had been forecast: by the first forecast of that wait.
create table forecast_score (
    job_id bigint not null,
    attempt integer not null,
    team_id uuid not null,
    pool text not null,
    model text not null,
    made_at timestamptz not null,
    raw_p50 timestamptz not null,
    raw_p90 timestamptz,
    p50 timestamptz not null,
    p90 timestamptz,
    started_at timestamptz not null,
    primary key (job_id, attempt)
);
create index forecast_score_started on forecast_score (started_at);
-- Starts are looked for since the last look.
create index attempt_placed on attempt (placed_at);
