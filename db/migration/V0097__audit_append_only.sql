-- The trail is what people trust when something was changed: nothing in the server, and no slip at a console, rewrites it.
create function refuse_rewrite() returns trigger language plpgsql as $$
begin
    raise exception 'the trail is append-only';
end $$;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
    for each statement execute function refuse_rewrite();
