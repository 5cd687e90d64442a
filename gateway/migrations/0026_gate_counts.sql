-- Messages that the broker confirmed, counted by the API process that accepted them, and those of them that were recorded or
-- parked. More confirmed than recorded means that messages were lost in the first queue.
create table gate_counts (
  minute timestamptz not null,
  process text collate "C" not null,
  account_id integer not null,
  confirmed bigint not null,
  recorded bigint not null,
  primary key (minute, process, account_id)
) with (fillfactor = 70);

-- Appended with the counts of the ledger and folded into gate_counts.
alter table ledger add column recorded bigint not null default 0, add column process text, add column minute timestamptz;

-- Until when the first queue was checked, and how many messages are missing.
alter table ledger_checks add column gate_until timestamptz, add column gate_gap bigint not null default 0;
