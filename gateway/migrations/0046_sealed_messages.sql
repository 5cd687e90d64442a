-- Recipient and steps of a message as one ciphertext, when the operator wants it: `recipient` is empty then, and `flow` has the
-- channels only. The index finds the messages of an account to one number.
alter table messages add column sealed bytea, add column recipient_index bytea;
