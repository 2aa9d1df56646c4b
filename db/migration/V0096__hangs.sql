-- A program that falls silent may hang: when it last printed, and since when it is suspected.
alter table attempt add column output_at timestamptz;
alter table attempt add column hung_since timestamptz;
