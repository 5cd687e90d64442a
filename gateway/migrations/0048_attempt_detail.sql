-- What a refusal says besides its cause: a report code, or `ported:` and the carrier that the number was ported to. After a
-- crash between the record of a refusal and its verdict the report has the same code as without one.
alter table attempts add column detail text;
