-- The keys that sign access tokens. Key 1 is POSTERN_TOKEN_SECRET itself. Every later one is derived from that secret and its
-- salt, so that neither this table nor the setting alone can sign a token.
create table token_keys (
  id integer generated always as identity primary key check (id between 1 and 65535),
  salt bytea,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- It signs from then on, until the next key does. In the future when it is added: by then every process knows it.
  signs_from timestamptz not null,
  -- Its tokens are refused from then on, even if they have not expired.
  retired_at timestamptz
);
insert into token_keys (created_by, signs_from) values ('migration', to_timestamp(0));
