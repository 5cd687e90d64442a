-- The token of a claim that its owner gave up before PostgreSQL had answered. Its statement may still arrive, or commit,
-- later: a claim with this token is not granted any more. Not indexed, so that a claim stays a HOT update.
alter table in_flight add column fenced_token bigint;
