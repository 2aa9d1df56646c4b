-- Rows that change several times without a change of what is indexed (a claim, how far was told, a log that grows) find
-- room on their own page, so that no index has to be told.
alter table cluster_command set (fillfactor = 60);
alter table virtual_attempt set (fillfactor = 60);
alter table log_chunk set (fillfactor = 80);
