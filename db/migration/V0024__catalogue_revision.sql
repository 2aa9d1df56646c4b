-- Every report of a node is matched against pools and GPU types. These change seldom, nodes all the time: with one
-- counter for all, each of a thousand reports would load a thousand nodes.
create table catalogue_revision (
    one boolean primary key default true check (one),
    revision bigint not null
);
insert into catalogue_revision values (true, 1);
create function bump_catalogue() returns trigger language plpgsql as $$
begin
    update catalogue_revision set revision = revision + 1;
    return null;
end $$;
create trigger gpu_type_catalogue after insert or update or delete on gpu_type for each statement execute function bump_catalogue();
create trigger pool_catalogue after insert or update or delete on pool for each statement execute function bump_catalogue();
