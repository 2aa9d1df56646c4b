-- What machines there are. What admins set and what the cluster says are kept apart on a node.
create table gpu_type (
    id text primary key constraint gpu_type_id check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
    memory_mib bigint not null constraint gpu_type_memory check (memory_mib > 0),
    resource_name text not null,
    products text[] not null default '{}',
    version bigint not null default 0
);

create table pool (
    id text primary key constraint pool_id check (id ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    display_name text not null,
    selector jsonb not null default '{}',
    levels jsonb not null,
    profile jsonb not null,
    micros_per_gpu_hour bigint not null default 0 constraint pool_price check (micros_per_gpu_hour >= 0),
    version bigint not null default 0
);

create table node (
    id text primary key,
    pool text references pool (id),
    gpu_type text references gpu_type (id),
    labels jsonb not null default '{}',
    taints jsonb not null default '[]',
    allocatable jsonb not null default '{}',
    capacity_gpus integer not null default 0,
    gpus integer not null default 0,
    cpu_millis bigint not null default 0,
    memory_bytes bigint not null default 0,
    foreign_gpus integer not null default 0,
    foreign_cpu_millis bigint not null default 0,
    foreign_memory_bytes bigint not null default 0,
    domain text[] not null default '{}',
    ready boolean not null default false,
    reachable boolean not null default true,
    unschedulable boolean not null default false,
    problems text[] not null default '{}',
    cordon text constraint node_cordon check (cordon in ('CORDON', 'DRAIN', 'QUARANTINE')),
    cordon_by text,
    cordon_at timestamptz,
    cordon_why text,
    cordon_deadline timestamptz,
    seen_at timestamptz not null,
    gone_at timestamptz,
    version bigint not null default 0,
    constraint node_cordon_whole check ((cordon is null) = (cordon_at is null))
);
create index node_pool on node (pool) where gone_at is null;

create table node_history (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    node text not null,
    pool text,
    gpus integer not null,
    ready boolean not null,
    unschedulable boolean not null,
    cordon text,
    gone boolean not null
);
create index node_history_node on node_history (node, at);
create function keep_node() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' or (old.pool, old.gpus, old.ready, old.unschedulable, old.cordon, old.gone_at)
            is distinct from (new.pool, new.gpus, new.ready, new.unschedulable, new.cordon, new.gone_at) then
        insert into node_history (node, pool, gpus, ready, unschedulable, cordon, gone)
        values (new.id, new.pool, new.gpus, new.ready, new.unschedulable, new.cordon, new.gone_at is not null);
    end if;
    return null;
end $$;
create trigger node_keep after insert or update on node for each row execute function keep_node();

create table inventory_revision (
    one boolean primary key default true check (one),
    revision bigint not null
);
insert into inventory_revision values (true, 1);
create function bump_inventory() returns trigger language plpgsql as $$
begin
    update inventory_revision set revision = revision + 1;
    return null;
end $$;
create trigger gpu_type_bump after insert or update or delete on gpu_type for each statement execute function bump_inventory();
create trigger pool_bump after insert or update or delete on pool for each statement execute function bump_inventory();
-- Heartbeats change seen_at alone; they are no news to a cache.
create function bump_inventory_for_node() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' or to_jsonb(old) - 'seen_at' - 'version' is distinct from to_jsonb(new) - 'seen_at' - 'version' then
        update inventory_revision set revision = revision + 1;
    end if;
    return null;
end $$;
create trigger node_bump after insert or update on node for each row execute function bump_inventory_for_node();
