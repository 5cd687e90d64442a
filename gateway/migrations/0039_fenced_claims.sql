-- The tokens of the last claims of a step that their owners gave up before PostgreSQL had answered, the newest first. Their
-- statements may still arrive, or commit, later: a claim with such a token is not granted any more. Not indexed, so that a claim
-- stays a HOT update.
alter table in_flight add column fenced_tokens bigint[];
