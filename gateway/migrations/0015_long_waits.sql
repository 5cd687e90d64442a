-- A message may be scheduled up to 60 days ahead: 5,184,000,000 ms. An integer holds 24.8 days. The column is replaced
-- instead of converted: a conversion rewrites every partition while all reads and writes wait, about an hour for 300
-- million rows. The waiting times of attempts recorded before are lost.
alter table attempts drop column held_ms;
alter table attempts add column held_ms bigint;
