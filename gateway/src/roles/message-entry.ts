/**
 * Accepts messages of accounts other than by the HTTP API, with the same checks, limits and counts. The SMPP
 * server uses it for submissions of clients, the admin API for test messages.
 */
import { randomBytes } from 'node:crypto'
import type { Account } from '../identity/accounts/account.ts'
import { limitsFromConfig } from '../edge/api/limits/from-config.ts'
import { consumeLimit, type LimitOptions } from '../edge/api/limits/http.ts'
import type { ChannelName } from '../channels/channel.ts'
import { Problem } from '../contract/problem.ts'
import { createFileLookup } from '../records/files/lookup.ts'
import { createAccept } from '../pipeline/accept/accept.ts'
import { createCheckSteps } from '../pipeline/accept/check-steps.ts'
import { createSend, type Send } from '../pipeline/accept/send.ts'
import { startAdmission } from '../pipeline/admission/admission.ts'
import { openDatabase } from '../platform/database/database.ts'
import { startGateCounter } from '../records/ledger/gate-counter.ts'
import { createTrust } from '../trust/policy.ts'
import { checkTrustAtStart } from '../trust/start.ts'
import type { Runtime } from './runtime.ts'

const capsConnections = 4
const capsStatementMs = 5_000

export interface MessageEntry {
  readonly send: Send
  readonly limits: LimitOptions
  /** Releases reserved blocks of caps. Call it after the last message. */
  stop(): Promise<void>
}

/** Resolves when the trust rules are loaded. The accepted queues must be declared. */
export async function openMessageEntry(runtime: Runtime): Promise<MessageEntry> {
  const { config, log, metrics, database, broker, topology, encryption } = runtime
  const capsDatabase = openDatabase(config.databaseUrl, log, {
    connections: capsConnections,
    statementMs: capsStatementMs,
    onStatement: (statement) => metrics.statements.inc({ statement }),
  })
  const limits = limitsFromConfig(runtime)
  const trust = createTrust(database, config, log, metrics, encryption, {
    capsDatabase,
    limiter: limits.limiter,
  })
  // This signal is never aborted: a stop during the start ends the process.
  await trust.cache.startLoaded(new AbortController().signal)
  try {
    checkTrustAtStart(trust.cache.value, config, log)
  } catch (error) {
    await trust.stop()
    await capsDatabase.end()
    throw error
  }
  // A process can have the API and several entries, which are counted separately.
  const name = randomBytes(6).toString('hex')
  const admission = startAdmission({
    broker,
    topology,
    processId: name,
    metrics,
    log,
    queuePrefix: config.queuePrefix,
    reserve: { messages: config.reserveMessages, bytes: config.reserveBytes, minutes: config.reserveMinutes },
  })
  const gate = startGateCounter(database, log, name)
  const accept = createAccept({
    publisher: broker.publisher,
    queues: topology.accepted,
    cell: config.cell,
    gate: gate.counter,
    admission,
    metrics,
    trace: runtime.trace,
  })
  const checkSteps = createCheckSteps({
    policy: trust,
    files: createFileLookup(database),
    publicFileUrl: config.publicFileUrl,
  })
  return {
    send: createSend({ accept, admit: admission.admit, checkSteps, counting: trust }),
    limits,
    async stop() {
      await trust.stop()
      await admission.stop()
      await gate.stop()
      await capsDatabase.end()
    },
  }
}

/** Accepts a message like a request of the account to the API. Resolves with the msgKey. */
export async function acceptForAccount(
  { send, limits }: MessageEntry,
  account: Account,
  channel: ChannelName,
  body: object,
): Promise<string> {
  if (account.blocked) throw new Problem('A110', 'Blocked account: contact the operator')
  await consumeLimit(account, 'send', limits)
  const { msgKey } = await send.simple(account, channel, body)
  return msgKey
}
