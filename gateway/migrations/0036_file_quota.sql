-- no transaction
-- What an account has stored is counted before each upload, and listed when its files are deleted. Uploads go on while the
-- index is built.
create index concurrently if not exists files_account on files (account_id, key) include (bytes);
