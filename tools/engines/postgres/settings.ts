// The settings of PostgreSQL: durable as in production unless the set is fast, sized for a two-core machine
// that runs everything else. Written at every start in place of the file of initdb.

import { host } from '../ports.ts'
import { hasKoreanLocale, koreanLocale } from './korean.ts'

export interface PostgresSettings {
  readonly port: number
  readonly title: string
  readonly cluster: string
  /** The other server of a pair; a standby replicates from it. */
  readonly peerPort?: number
  /** Commits wait until the standby has them on its disk. */
  readonly synchronous: boolean
  /**
   * Leaves the flushing of files to the operating system: a killed server loses nothing, a power failure
   * does.
   */
  readonly fast: boolean
}

/** The application_name of a standby at its primary. */
export const standbyName = 'postern_standby'

export function postgresSettings(settings: PostgresSettings): string {
  return `# Written at every start; changes are lost.
listen_addresses = '${host}'
port = ${settings.port}
unix_socket_directories = ''
max_connections = 200
cluster_name = '${settings.title}'
hba_file = '${settings.cluster}/pg_hba.conf'
ident_file = '${settings.cluster}/pg_ident.conf'

fsync = ${settings.fast ? 'off' : 'on'}
synchronous_commit = on
full_page_writes = ${settings.fast ? 'off' : 'on'}
wal_level = replica
${settings.peerPort === undefined ? '' : pairSettings(settings.peerPort, settings.synchronous)}max_wal_size = 4GB
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
lc_messages = '${hasKoreanLocale() ? koreanLocale : 'C'}'
log_line_prefix = '%m [%p] %d '
log_min_duration_statement = 1s
log_lock_waits = on
log_checkpoints = on
`
}

function pairSettings(peerPort: number, synchronous: boolean): string {
  return `synchronous_standby_names = '${synchronous ? `FIRST 1 (${standbyName})` : ''}'
primary_conninfo = 'host=${host} port=${peerPort} user=postgres application_name=${standbyName}'
# A standby that was down for minutes can still catch up; pg_rewind needs the hints to be logged.
wal_keep_size = 1GB
wal_log_hints = on
# Commits wait while a restarted primary waits for its standby to reconnect: the default of 5 s would delay them.
wal_retrieve_retry_interval = 250ms
wal_receiver_timeout = 10s
wal_sender_timeout = 10s
`
}
