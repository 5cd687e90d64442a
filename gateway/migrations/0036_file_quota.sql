-- What an account has stored is counted before each upload, and listed when its files are deleted.
create index files_account on files (account_id, key) include (bytes);
