-- The whole URL, encrypted, when a master key is set: a path or a query may hold a token. `url` is without them then, for lists and
-- for commands without the key. Null: `url` is the whole one.
alter table webhooks add column encrypted_url text;
