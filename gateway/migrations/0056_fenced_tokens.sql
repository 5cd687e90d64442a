-- The tokens of the last claims of a step that their owners gave up, the newest first: each may still arrive. fenced_token
-- holds the newest one for processes of an older version. Not indexed, so that a claim stays a HOT update.
alter table in_flight add column fenced_tokens bigint[];
