-- How far the ledger's own changes have been booked. Facts may be heard hours after they happened, when the server or the
-- cluster was away; what they change is found by when it was written, not by when it happened.
alter table usage_mark add column seen xid8 not null default '0';
