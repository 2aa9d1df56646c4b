-- Who there is and who has which role is read from a cache on every request: its changes move tenancy's revision too.
create trigger principal_bump after insert or update or delete on principal for each statement execute function bump_tenancy();
create trigger membership_bump after insert or update or delete on membership for each statement execute function bump_tenancy();
