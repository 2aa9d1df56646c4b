-- Lists are filtered by labels: a label that few jobs bear must not be looked for in every row. Most jobs bear none, and
-- cost nothing here.
create index job_labels on job using gin (labels jsonb_path_ops) where labels <> '{}'::jsonb;
