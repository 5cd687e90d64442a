-- Periodic work whose cost follows what happened since the last round.

-- Counts are appended and folded once, into one row per account and day. Rows of an older version are not folded.
alter table ledger add column folded boolean not null default false;
create unique index ledger_folded on ledger (day, account_id) where folded;
create index ledger_appended on ledger (account_id) where not folded;

-- A check reads the open messages up to today, one day of scheduled messages in turn, and the days that had a gap.
alter table ledger_checks add column next_day text, add column gap_days text[] not null default '{}';

-- When the oldest report that is not erased was written, or a time before it.
alter table erasure_progress add column next_report_at timestamptz not null default '-infinity';
