-- The trail of who did what, from the very first migration on: no change without its row.
-- Append-only: the server never updates or deletes here; `actor` is a pseudonymous id, names live with the principal.
create table audit_entry (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    actor uuid,
    action text not null,
    subject text not null,
    before jsonb,
    after jsonb,
    reason text,
    source text,
    request_id text
);
create index audit_entry_subject on audit_entry (subject, id desc);
create index audit_entry_actor on audit_entry (actor, id desc);

-- Readers that keep a cache or a snapshot ask for what changed since they last looked. A sequence would miss rows whose
-- transaction commits late; the transaction id compared with the snapshot's xmin does not.
create function stamp_changed() returns trigger language plpgsql as $$
begin
    new.changed := pg_current_xact_id();
    return new;
end $$;
