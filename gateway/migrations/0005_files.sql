-- Uploaded images: what is known about them. The bytes are in the file store under the same key.
create table files (
  key          text collate "C" primary key,
  account_id   integer not null,
  service_type text not null,
  kind         text not null,
  format       text not null check (format in ('jpg', 'png', 'gif', 'bmp')),
  width        integer not null check (width > 0),
  height       integer not null check (height > 0),
  bytes        integer not null check (bytes > 0),
  expires_at   timestamptz not null,
  -- The row is written before the bytes, so that an upload cut short by a crash is known and removed; it counts
  -- as a file from here on.
  stored       boolean not null default false,
  -- When the bytes and the row go: soon while not stored, else after the last message may have used it.
  remove_at    timestamptz not null
);

create index files_remove on files (remove_at, key);
