/**
 * What the operations of the admin API work with. Their queries have connections of their own and a limit of time, so that whoever
 * watches the gateway takes nothing from it. Opened and closed by the admin role.
 */
import type { Account } from '../accounts/account.ts'
import type { ChannelName } from '../channels/channel.ts'
import type { OpenFile } from '../files/open-file.ts'
import type { Topology } from '../jobs/queues.ts'
import type { Broker } from '../platform/broker/broker.ts'
import type { Config } from '../platform/config.ts'
import { openDatabase, type Database } from '../platform/database.ts'
import type { Encryption } from '../platform/encryption/encryption.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { LimitUse } from '../webhooks/actions.ts'

export interface AdminServices {
  readonly config: Config
  readonly log: Log
  /** Cannot write. */
  readonly reads: Database
  /** Cannot write. Of clients, whose searches never wait in front of those of operators. */
  readonly clientReads: Database
  readonly writes: Database
  /** Finds keys and records what is refused; searches never wait in front of it. Cannot write otherwise. */
  readonly signIns: Database
  readonly broker: Pick<Broker, 'publisher' | 'depth' | 'canPublish'>
  readonly topology: Topology
  readonly encryption: Encryption
  readonly metrics: Pick<Metrics, 'replies'>
  /** How often clients test, prove and replay webhooks: the limits of the API, shared with it. */
  readonly limitWebhookUse: LimitUse
  /** Accepts a message as a request of the account to the API would be, with its checks and limits. Resolves with the msgKey. */
  readonly acceptMessage: (account: Account, channel: ChannelName, body: object) => Promise<string>
  /** Uploaded pictures, for the sandbox. */
  readonly openFile: OpenFile
  /** Aborted when the process stops: requests that wait for something are answered. */
  readonly stopping?: AbortSignal
}

export interface AdminDatabases extends Pick<AdminServices, 'reads' | 'clientReads' | 'writes' | 'signIns'> {
  readonly close: () => Promise<void>
}

/** A change uses up to three connections at once: a lock on its account, the change itself, a key of the installation. */
export const maxChanges = 4
/** Requests of clients that wait for the receiver of a webhook. They hold no connection meanwhile, and change something after it. */
export const maxClientPushes = 4
const connectionsPerChange = 3
const readMs = 2_000
const changeMs = 30_000
const lockMs = 5_000
/** The lookup of a webhook's host may take this long while the account is locked. */
const idleMs = 60_000

export function openAdminDatabases(url: string, log: Log): AdminDatabases {
  const reads = openDatabase(url, log, { connections: 4, statementMs: readMs, lockMs, readOnly: true })
  const clientReads = openDatabase(url, log, { connections: 2, statementMs: readMs, lockMs, readOnly: true })
  const writes = openDatabase(url, log, {
    ...{ connections: (maxChanges + maxClientPushes) * connectionsPerChange },
    ...{ statementMs: changeMs, lockMs, idleMs },
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
