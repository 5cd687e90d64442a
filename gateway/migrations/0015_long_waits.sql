-- A message may be scheduled up to 60 days ahead: 5,184,000,000 ms. An integer holds 24.8 days. This rewrites the
-- partitions of the table.
alter table attempts alter column held_ms type bigint;
