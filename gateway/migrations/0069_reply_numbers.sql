-- When a reply without an account was given to one; null: it had its account from the start. Times rise with the numbers of an account
-- by this one, so that the position of a time is found without reading what is before it.
alter table replies add column assigned_at timestamptz;
