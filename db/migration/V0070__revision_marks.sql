-- All counters that caches follow, in one place: a request asks for them once, in the statement that finds its caller.
create view revision_mark as
select name, revision, writer::text as writer,
    coalesce(writer = pg_current_xact_id_if_assigned()::xid, false) as mine
from (
    select 'tenancy_revision' as name, revision, xmin as writer from tenancy_revision
    union all select 'policy_change', revision, xmin from policy_change
    union all select 'inventory_revision', revision, xmin from inventory_revision
    union all select 'catalogue_revision', revision, xmin from catalogue_revision
) counters;
