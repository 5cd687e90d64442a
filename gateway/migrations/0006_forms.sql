-- Flows that accounts have registered, to be sent by their id.
create table forms (
  id         text collate "C" primary key,
  account_id integer not null,
  -- As it was sent, placeholders included. json and not jsonb: it is only ever given back whole, and jsonb would
  -- change the order of its keys and refuse some characters.
  flow       json not null,
  expires_at timestamptz not null
);

-- Counts the forms of an account that are still usable.
create index forms_account on forms (account_id, expires_at);
create index forms_expiry on forms (expires_at);
