/**
 * Runs operations of the admin API in the process of the command, on the database: for the first
 * installation, for emergencies, and for scripts on the host. The definitions, checks and audit records are
 * those of the admin API. Engines are connected, and most settings read, when an operation needs them, so that a
 * command needs no setting that it does not use. The master keys, if set, are always read.
 */
import { setTimeout } from 'node:timers/promises'
import { AuditRecorder } from '../../operations/audit-recorder.ts'
import { OperationError } from '../../operations/errors.ts'
import { FailedError } from '../errors.ts'
import { toResponse } from '../../operations/response.ts'
import { inputSchemas, readInput } from '../../operations/input.ts'
import type { AdminOperation, RequestContext, SignedOperator } from '../../operations/operation.ts'
import { adminOperations } from '../../operations/operations.ts'
import { toOperationError } from '../../operations/problem.ts'
import { createSandboxFiles } from '../../operations/sandbox/files.ts'
import type { AdminServices } from '../../operations/services.ts'
import type { AuditContext } from '../../identity/audit/context.ts'
import { createTopology } from '../../jobs/queues.ts'
import type { Signature } from '../../identity/operators/queries.ts'
import { operatorRoles, type OperatorRole } from '../../identity/operators/rights.ts'
import { openBroker, type Broker } from '../../platform/broker/broker.ts'
import { BrokerUnavailable } from '../../platform/broker/publish.ts'
import { clock } from '../../platform/time/clock.ts'
import { ConfigError, loadSettings, settingNames, type Config } from '../../platform/settings/config.ts'
import { isGiven } from '../../platform/settings/environment.ts'
import { openDatabase, type Database } from '../../platform/database/database.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { createLog } from '../../platform/logging/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import type { AuditOptions } from '../shell-context.ts'
import { explainDatabaseError, measureClockPatiently } from '../connect.ts'
import { signCommand } from '../sign-in.ts'
import type { UntypedInput, Transport } from './client.ts'

const operations = new Map<string, AdminOperation>(
  adminOperations.map((operation): [string, AdminOperation] => [operation.id, operation]),
)

export function openLocal(options: AuditOptions): Transport {
  const config = lazyConfig()
  const url = config.databaseUrl
  const log = createLog('error', 'cli')
  // A change uses three connections at the same time: for a lock on an account, the change itself, and the keys
  // of the installation. The lookup of a webhook's host may take `idleMs` while the account is locked.
  const limits = { connections: 3, idleMs: 60_000 }
  const reads = openDatabase(url, log, { ...limits, readOnly: true })
  const writes = openDatabase(url, log, limits)
  const topology = createTopology(config.queuePrefix)
  const encryption = openEncryption(config)
  let broker: Broker | undefined
  const services: AdminServices = {
    config,
    log,
    reads,
    clientReads: reads,
    signIns: reads,
    writes,
    get broker() {
      const { brokerCaFile: caFile, brokerCertFile: certFile, brokerKeyFile: keyFile } = config
      return (broker ??= openBroker(config.brokerUrls, config.publishTimeoutMs, log, undefined, {
        caFile,
        certFile,
        keyFile,
      }))
    },
    topology,
    encryption,
    get metrics() {
      return createMetrics()
    },
    limitWebhookUse: () => Promise.resolve(),
    acceptMessage: () =>
      Promise.reject(new FailedError('a command on the database cannot accept messages; use the admin API')),
    openFile: createSandboxFiles(config, reads),
  }

  async function run(operation: AdminOperation, input: UntypedInput, version?: string): Promise<unknown> {
    const { access, action } = operation
    const isChange = access.kind === 'change'
    const database = isChange ? writes : reads
    await measureClock()
    const signer = {
      command: action,
      access: { ...access, signsIn: true, forAuditors: access.right === 'audit' },
      options,
    }
    const { act, signature } = await signCommand(reads, signer, config)
    const given = { params: input.params, query: withoutUndefined(input.query), body: input.body }
    const { reason, ...checked } = readInput(inputSchemas(operation), given)
    if (operation.publishesJobs === true) await untilConnected(services.broker, config.publishTimeoutMs)
    const keyError = await openKeys(database, isChange)
    const record = { command: action, audited: false }
    const audit = new AuditRecorder(database, record, { act: { ...act, reason }, signature })
    const signed = toOperator(act, signature)
    const cookies = { secure: true, session: '', provider: '' }
    const context: RequestContext = {
      services,
      database,
      audit,
      signed,
      ifMatch: version,
      cookies,
      setCookie: () => undefined,
    }
    const data = await operation.run(checked, context).catch((error: unknown) => {
      throw error instanceof OperationError ? error : (keyError ?? error)
    })
    if (isChange && !record.audited) throw new Error(`${operation.id} has recorded nothing in the audit log`)
    return toResponse(operation.data, data)
  }

  let isMeasured = false
  async function measureClock(): Promise<void> {
    if (isMeasured) return
    clock.maxSkewMs = config.maxClockSkewSeconds * 1000
    await measureClockPatiently(reads)
    isMeasured = true
  }

  /**
   * Opens the keys of the installation. Most operations need no key: they work with a wrong master key, and
   * for a database user that cannot read the keys. Therefore an error is returned, for an operation that
   * fails without them.
   */
  async function openKeys(database: Database, isChange: boolean): Promise<unknown> {
    if (!isGiven('masterKey')) return undefined
    try {
      // An operation that changes nothing adds no key.
      if (isChange) await encryption.prepare(database)
      const sealing = isChange && config.encryptMessages === 'yes'
      await messageCipher.open(database, encryption, { sealing }, clock.date())
      return undefined
    } catch (error) {
      return error
    }
  }

  return {
    name: 'the database',
    url: null,
    profile: null,
    async call(id, input, version) {
      try {
        return await run(operations.get(id)!, input, version)
      } catch (error) {
        throw explainLocal(error, url)
      }
    },
    async close() {
      await broker?.close()
      await Promise.all([reads.end(), writes.end()])
    },
  }
}

/** Waits for the connection, because the publisher refuses jobs until then. */
async function untilConnected(broker: Pick<Broker, 'canPublish'>, timeoutMs: number): Promise<void> {
  const endsAt = performance.now() + timeoutMs
  while (!broker.canPublish) {
    if (performance.now() >= endsAt) throw new BrokerUnavailable('the broker is unreachable')
    await setTimeout(20)
  }
}

/**
 * Returns a configuration that reads each setting at its first use: a missing setting only fails operations
 * that need it.
 */
function lazyConfig(): Config {
  const config = {} as Config
  for (const key of settingNames)
    Object.defineProperty(config, key, { enumerable: true, get: () => loadSettings([key])[key] })
  return config
}

/** Returns the operator of the command. Without operators the system user has all rights. */
function toOperator({ by, role }: AuditContext, signature: Signature | null): SignedOperator {
  const isOperator = (operatorRoles as readonly string[]).includes(role)
  return {
    name: by,
    role: isOperator ? (role as OperatorRole) : 'admin',
    account: null,
    signature,
    session: null,
  }
}

function withoutUndefined(fields: UntypedInput['query'] = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function explainLocal(error: unknown, url: string): unknown {
  const explained = explainDatabaseError(error, url)
  if (explained !== error || error instanceof ConfigError) return explained
  return toOperationError(error as Error) ?? error
}
