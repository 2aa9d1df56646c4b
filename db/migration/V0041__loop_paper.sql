-- The loop's own paper is thrown away after a while: finding what is old must not read all of it.
create index cluster_command_done on cluster_command (done_at) where done_at is not null;
create index scheduling_cycle_as_of on scheduling_cycle (as_of);
create index share_history_at on share_history (at);
