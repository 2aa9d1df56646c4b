-- Parts of a guarantee that come in whole domains, as a list of {count, level, gpus}; the history keeps them too, so that any
-- week can be replayed. Text, since it is only ever read and written whole.
alter table quota add column shapes text not null default '[]'
    constraint quota_shapes check (jsonb_typeof(shapes::jsonb) = 'array');
alter table quota_history add column shapes text;
create or replace function keep_quota() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        insert into quota_history (team_id, pool, gone) values (old.team_id, old.pool, true);
    else
        insert into quota_history (team_id, pool, guaranteed, gpu_limit, lendable, weight, shapes)
        values (new.team_id, new.pool, new.guaranteed, new.gpu_limit, new.lendable, new.weight, new.shapes);
    end if;
    return null;
end $$;
