-- A receipt is matched by its recipient to parts that have no id: their answer was lost, or the carrier accepted them
-- without giving one. `result` is not part of the condition: a column in the condition of an index makes every update of
-- it write all indexes of the table, and each receipt sets it. Writes to attempts wait while the index is built, about
-- 0.35 s for each million rows.
create index attempts_without_id on attempts (recipient, route_id) where carrier_id is null and outcome <> 'refused';
drop index attempts_unknown;
