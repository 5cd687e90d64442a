-- Identifies a claim, so that a repeated statement recognizes its own claim and does not return that of a successor.
-- Null: not claimed. Not indexed, so that a claim stays a HOT update.
alter table in_flight add column claim_token bigint;
