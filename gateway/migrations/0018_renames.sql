-- Columns, indexes and options get the names that the code and the documentation use.

alter table webhooks rename column disabled_why to disabled_reason;
alter table webhooks rename constraint webhooks_disabled_why_check to webhooks_disabled_reason_check;

-- Due steps of one account are one range of this index, and the next account is one step further.
alter index waiting_turn rename to waiting_due;

update routes
   set options = options - 'receiptsInHand' || jsonb_build_object('maxPendingReceipts', options -> 'receiptsInHand')
 where protocol = 'smpp' and options ? 'receiptsInHand';
