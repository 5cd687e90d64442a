#!/bin/sh
# Nothing is started or restarted here: an upgrade migrates first, and restarts one process after the other.
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
cat <<END
Postern is installed. Next:
  1. Set the URLs of the engines in /etc/postern/postern.env, the owner of the database and the passwords of its users in migrate.env,
     and the database user of each process in api.env, worker.env, admin.env and smpp-server.env beside it.
  2. systemctl start postern-migrate
  3. systemctl enable --now postern@api postern@worker
     After an upgrade, restart them instead: first postern@worker, then the others, one by one.
  The console and the SMPP server for clients: postern@admin, postern@smpp-server.
END
