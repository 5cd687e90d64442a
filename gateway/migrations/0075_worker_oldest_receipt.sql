-- When the oldest receipt that the worker has taken from a queue and not settled was published; null if it holds none. No worker
-- ends a step at a deadline after this time.
alter table workers add column oldest_receipt_at timestamptz;
