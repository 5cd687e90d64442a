-- Whether the worker's clock agrees with PostgreSQL's and has since it started: a worker whose machine was paused learns from
-- the others that PostgreSQL's clock did not jump. False for a worker of an older version, which says nothing about it.
alter table workers add column clock_agrees boolean not null default false;
