#!/bin/bash
# As the official image: initialises an empty data folder from POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB, then starts the command as
# the user postgres.
set -eo pipefail

if [ "$1" = postgres ] && [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  find "$PGDATA" \! -user postgres -exec chown postgres '{}' +
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$BASH_SOURCE" "$@"
fi

if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") --auth-host=scram-sha-256 --auth-local=trust
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  # Reachable by socket only until the database exists.
  pg_ctl --pgdata="$PGDATA" --options="$(printf '%q ' "${@:2}") -c listen_addresses=''" --wait start
  psql --username="$POSTGRES_USER" --dbname=postgres --command="create database \"$POSTGRES_DB\""
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi

exec "$@"
