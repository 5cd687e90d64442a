-- Tables and columns get the names that the code and the documentation use.

-- The last number given to a report of each account.
alter table report_heads rename to report_sequences;
alter table report_sequences rename constraint report_heads_pkey to report_sequences_pkey;

-- How far the closed messages of each account have been erased.
alter table erasures rename to erasure_progress;
alter table erasure_progress rename constraint erasures_pkey to erasure_progress_pkey;

alter table waiting rename column why to reason;
alter table waiting rename constraint waiting_why_check to waiting_reason_check;
alter table waiting rename column route_why to route_reason;

-- Why this route was chosen, and why the step waited before.
alter table attempts rename column route_why to route_reason;
alter table attempts rename column held_why to held_reason;
-- The recipient received the message by another step or try too.
alter table attempts rename column doubled to delivered_twice;

-- How many checks in a row have found a gap.
alter table ledger_checks rename column running to consecutive_gaps;
