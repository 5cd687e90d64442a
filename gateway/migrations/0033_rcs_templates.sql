-- Which kind an issued RCS template is of: the limits of a message depend on it, and its id does not say it.
create table rcs_templates (
  id text collate "C" primary key,
  kind text not null check (kind in ('Free', 'Description', 'Cell', 'Image'))
);
