-- Named views of the list of jobs that people keep for themselves: one document a person, written as a whole.
create table saved_views (
    principal_id uuid primary key references principal (id),
    body jsonb not null,
    version bigint not null
);
