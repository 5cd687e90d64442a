#!/bin/bash
# As the official image: gives the data folder to the user rabbitmq and starts the command as that user. RabbitMQ itself reads
# RABBITMQ_DEFAULT_USER, RABBITMQ_DEFAULT_PASS and RABBITMQ_ERLANG_COOKIE.
set -euo pipefail

if [[ $1 == rabbitmq* ]] && [ "$(id -u)" = 0 ]; then
  find /var/lib/rabbitmq \! -user rabbitmq -exec chown rabbitmq '{}' +
  exec setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups "$BASH_SOURCE" "$@"
fi

exec "$@"
