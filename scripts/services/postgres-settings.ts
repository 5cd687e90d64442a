// The server's settings: durable as in production, sized for a two-core machine that runs everything else
// too. Written anew at every start, in place of the file initdb makes.

import { host } from './ports.ts'

export function postgresSettings(of: { port: number; title: string; cluster: string }): string {
  return `# Written at every start; changes are lost.
listen_addresses = '${host}'
port = ${of.port}
unix_socket_directories = ''
max_connections = 200
cluster_name = '${of.title}'
hba_file = '${of.cluster}/pg_hba.conf'
ident_file = '${of.cluster}/pg_ident.conf'

fsync = on
synchronous_commit = on
full_page_writes = on
wal_level = replica
max_wal_size = 4GB
checkpoint_timeout = 15min

shared_buffers = 512MB
effective_cache_size = 4GB
random_page_cost = 1.1
# Day partitions: one statement may lock many.
max_locks_per_transaction = 256
# Bulk statements are short; compiling them costs more than it saves.
jit = off

timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%m [%p] %d '
log_min_duration_statement = 1s
log_lock_waits = on
log_checkpoints = on
`
}
