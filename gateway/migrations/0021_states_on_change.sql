-- A state is written when it changes; that its owner is alive is said once for all of its routes. `changed` lets readers
-- read what has changed since they last read: every transaction below the lowest one that was still running then was
-- visible to them.
alter table route_states add column changed xid8 not null default pg_current_xact_id();

create unlogged table state_publishers (
  publisher text not null,
  seen_at timestamptz not null,
  constraint state_publishers_pkey primary key (publisher)
) with (fillfactor = 50);
