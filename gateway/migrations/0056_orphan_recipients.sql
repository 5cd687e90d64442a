-- The recipient of a receipt as attempts store it, to find it when the recipient is erased. Null in rows of an older process,
-- which are gone after three days; empty once it is erased.
alter table orphan_receipts add column recipient text;
create index orphan_receipts_recipient on orphan_receipts (recipient) where recipient <> '';
