#!/bin/sh
# As the official image: gives the data folder to the user valkey and starts the server as that user.
set -e

if [ "$1" = valkey-server ] && [ "$(id -u)" = 0 ]; then
  find . \! -user valkey -exec chown valkey '{}' +
  exec setpriv --reuid=valkey --regid=valkey --clear-groups "$0" "$@"
fi

exec "$@"
