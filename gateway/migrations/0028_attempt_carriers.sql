-- The recipient's mobile carrier, as the number ranges or the answer to the submission tell it. A receipt may tell better.
alter table attempts add column carrier text;
