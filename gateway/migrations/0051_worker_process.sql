-- Where the process of a worker runs, so that a worker of the same machine can tell for certain that it has ended. Null: not known.
alter table workers add column machine text, add column pid integer;
