/**
 * Services of admin API operations. Their queries have separate connections and a time limit, so that
 * monitoring takes no capacity from the gateway.
 */
import type { Account } from '../identity/accounts/account.ts'
import type { ChannelName } from '../channels/channel.ts'
import type { OpenFile } from '../records/files/open-file.ts'
import type { Topology } from '../jobs/queues.ts'
import type { Broker } from '../platform/broker/broker.ts'
import type { Config } from '../platform/settings/config.ts'
import { openDatabase, type Database } from '../platform/database/database.ts'
import type { Encryption } from '../platform/encryption/encryption.ts'
import type { Log } from '../platform/logging/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { LimitUse } from '../edge/webhooks/actions.ts'

export interface AdminServices {
  readonly config: Config
  readonly log: Log
  /** Read-only. */
  readonly reads: Database
  /** Read-only, for clients, whose searches must not delay those of operators. */
  readonly clientReads: Database
  readonly writes: Database
  /** Finds keys and records refusals, so that searches do not delay sign-ins. Otherwise read-only. */
  readonly signIns: Database
  readonly broker: Pick<Broker, 'publisher' | 'depth' | 'canPublish'>
  readonly topology: Topology
  readonly encryption: Encryption
  readonly metrics: Pick<Metrics, 'replies'>
  /** Rate limit for tests, verifications and replays of webhooks by clients, shared with the API. */
  readonly limitWebhookUse: LimitUse
  /**
   * Accepts a message like a request of the account to the API, with its checks and limits. Resolves with the
   * msgKey.
   */
  readonly acceptMessage: (account: Account, channel: ChannelName, body: object) => Promise<string>
  /** Reads uploaded images, for the sandbox. */
  readonly openFile: OpenFile
  /** Aborted when the process stops, so that waiting requests end. */
  readonly stopping?: AbortSignal
}

export interface AdminDatabases extends Pick<AdminServices, 'reads' | 'clientReads' | 'writes' | 'signIns'> {
  readonly close: () => Promise<void>
}

/** Changes in progress at the same time. */
export const maxChanges = 4
/**
 * Requests of clients that wait for a webhook receiver. They hold no connection while waiting, and change
 * something afterwards.
 */
export const maxClientPushes = 4
/** For a lock on the account, the change itself, and a key of the installation. */
const connectionsPerChange = 3
const readMs = 2_000
const changeMs = 30_000
const lockMs = 5_000
/** Resolving the host of a webhook can take this long while the account is locked. */
const idleMs = 60_000

export function openAdminDatabases(url: string, log: Log): AdminDatabases {
  const reads = openDatabase(url, log, { connections: 4, statementMs: readMs, lockMs, readOnly: true })
  const clientReads = openDatabase(url, log, { connections: 2, statementMs: readMs, lockMs, readOnly: true })
  const writes = openDatabase(url, log, {
    connections: (maxChanges + maxClientPushes) * connectionsPerChange,
    statementMs: changeMs,
    lockMs,
    idleMs,
  })
  const signIns = openDatabase(url, log, { connections: 2, statementMs: readMs, lockMs, readOnly: true })
  return {
    reads,
    clientReads,
    writes,
    signIns,
    async close() {
      await Promise.all([reads, clientReads, writes, signIns].map((database) => database.end()))
    },
  }
}
