-- Work that one process at a time does: who does it, and until when nobody else may (see platform/lease.ts).
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null
);
