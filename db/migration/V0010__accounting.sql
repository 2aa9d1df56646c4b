-- What was used: integers only. usage_day feeds reports, usage_decayed bends the surplus of the shares.
create table usage_day (
    day date not null,
    team_id uuid not null,
    principal_id uuid not null,
    pool text not null,
    gpu_seconds bigint not null default 0,
    lost_gpu_seconds bigint not null default 0,
    micros bigint not null default 0,
    primary key (day, team_id, principal_id, pool)
);
create table job_usage (
    job_id bigint not null,
    pool text not null,
    gpu_seconds bigint not null default 0,
    micros bigint not null default 0,
    primary key (job_id, pool)
);
create table usage_decayed (
    team_id uuid not null,
    pool text not null,
    gpu_seconds double precision not null,
    entitled_gpu_seconds double precision not null,
    as_of timestamptz not null,
    primary key (team_id, pool)
);
create table usage_mark (
    one boolean primary key default true check (one),
    accounted_until timestamptz not null
);
