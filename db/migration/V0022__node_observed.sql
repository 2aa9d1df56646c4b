-- What the cluster itself said is kept beside what follows from it (pool, taints tolerated or not), so that a change of
-- a pool or of the catalogue is applied to nodes at once and not with their next report.
alter table node add column cluster_unschedulable boolean not null default false;
alter table node add column bad_conditions text[] not null default '{}';
-- The list of nodes is asked for by state.
create index node_here on node (id) where gone_at is null;
