-- A running job may make room for another by going on elsewhere: its next place is kept for it while it saves and stops,
-- and the attempt says that it moves, so that its end counts as a move and not as a preemption.
alter table reservation drop constraint reservation_kind;
alter table reservation add constraint reservation_kind check (kind in ('VICTIMS', 'HEAD', 'MOVE'));
alter table attempt add column moves boolean not null default false;
