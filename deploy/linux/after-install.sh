#!/bin/sh
# Nothing is started or restarted here: an upgrade migrates first, and restarts one process after the other.
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
cat <<END
Postern is installed. Next:
  1. Set the URLs of the engines in /etc/postern/postern.env.
  2. systemctl start postern-migrate
  3. systemctl enable --now postern@api postern@worker
     (after an upgrade: systemctl restart 'postern@*')
  The console and the SMPP server for clients: postern@admin, postern@smpp-server.
END
