-- A random value beside the number of each version. After a failover that lost a commit the same number is given again, for
-- another change; the mark differs, so that no process takes the two for one.
alter table trust_versions add column mark uuid not null default gen_random_uuid();
