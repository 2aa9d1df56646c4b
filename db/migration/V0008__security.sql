-- API tokens (stored hashed), sign-in throttling and browser sessions. Times here are real time, never scaled.
create table api_token (
    id uuid primary key,
    principal_id uuid not null references principal (id),
    name text not null,
    hash bytea not null,
    prefix text not null,
    scope text not null constraint api_token_scope check (scope in ('READ', 'SUBMIT', 'ADMIN')),
    team_id uuid references team (id),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz
);
create unique index api_token_hash on api_token (hash);
create index api_token_principal on api_token (principal_id);

create table one_time_link (
    hash bytea primary key,
    principal_id uuid not null references principal (id),
    created_by uuid not null,
    expires_at timestamptz not null,
    used_at timestamptz
);

create table sign_in_throttle (
    subject text primary key,
    failures integer not null,
    last_failure_at timestamptz not null,
    blocked_until timestamptz
);

-- Keys that sign attempt tokens; the newest signs, older ones still verify.
create table signing_key (
    id text primary key,
    secret bytea not null,
    created_at timestamptz not null default now(),
    retired_at timestamptz
);

-- Who this installation is, on every cluster object it makes.
create table installation (
    one boolean primary key default true check (one),
    id text not null
);
insert into installation values (true, substr(md5(random()::text || clock_timestamp()::text), 1, 12));

create table spring_session (
    primary_id char(36) not null,
    session_id char(36) not null,
    creation_time bigint not null,
    last_access_time bigint not null,
    max_inactive_interval int not null,
    expiry_time bigint not null,
    principal_name varchar(100),
    constraint spring_session_pk primary key (primary_id)
);
create unique index spring_session_ix1 on spring_session (session_id);
create index spring_session_ix2 on spring_session (expiry_time);
create index spring_session_ix3 on spring_session (principal_name);
create table spring_session_attributes (
    session_primary_id char(36) not null,
    attribute_name varchar(200) not null,
    attribute_bytes bytea not null,
    constraint spring_session_attributes_pk primary key (session_primary_id, attribute_name),
    constraint spring_session_attributes_fk foreign key (session_primary_id) references spring_session (primary_id) on delete cascade
);
