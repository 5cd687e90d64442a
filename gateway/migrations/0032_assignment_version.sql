-- How the worker assigns partitions: it gives one up only to a worker that computes the same assignment. Null for a worker of
-- an older version.
alter table workers add column assignment_version smallint;
