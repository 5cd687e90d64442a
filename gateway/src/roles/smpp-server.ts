/**
 * The SMPP server role: the second way in for clients. A message that is submitted over SMPP goes through the checks, limits and
 * acceptance of the API; receipts and replies are delivered to the binds of its account. As the API, it needs the broker and the
 * accounts it has loaded to accept a message, and PostgreSQL for parts of long messages and for deliveries.
 */
import { randomBytes } from 'node:crypto'
import { readLastUses, startCredentialUses } from '../accounts/credential-uses.ts'
import { createAccountDirectory } from '../accounts/directory.ts'
import { limitsFromConfig } from '../api/limits/from-config.ts'
import { createFreshness } from '../api/server/freshness.ts'
import { readCertificate, reloadCertificate } from '../api/server/listen.ts'
import { createCheckLogin } from '../api/tokens/login.ts'
import { createTokenThrottle } from '../api/tokens/throttle.ts'
import { createTimeFormat } from '../contract/times.ts'
import { createFileLookup } from '../files/lookup.ts'
import { createAccept } from '../pipeline/accept/accept.ts'
import { createCheckSteps } from '../pipeline/accept/check-steps.ts'
import { createSend } from '../pipeline/accept/send.ts'
import { startAdmission } from '../pipeline/admission/admission.ts'
import { ConfigError } from '../platform/config.ts'
import { openDatabase } from '../platform/database.ts'
import { every } from '../platform/periodic.ts'
import { retryTransient } from '../platform/retry.ts'
import { startGateCounter } from '../records/ledger/gate-counter.ts'
import { FeedWaiters } from '../records/feed/waiters.ts'
import { replyFeed } from '../records/replies/queries.ts'
import { reportFeed } from '../records/reports/queries.ts'
import { Binds } from '../smpp-server/binds.ts'
import { Deliveries } from '../smpp-server/deliveries.ts'
import { endSeries } from '../smpp-server/end-series.ts'
import { SmppServer } from '../smpp-server/server.ts'
import { createSubmit } from '../smpp-server/submit.ts'
import { checkTrustAtStart } from '../trust/start.ts'
import { createTrust } from '../trust/policy.ts'
import type { Role } from './role.ts'
import type { MemberRuntime } from './runtime.ts'

/** A text of 2,000 bytes in UCS-2, its headers and parameters fit. */
const maxPduBytes = 8_192
/** Responses that a client does not read. */
const maxBacklogBytes = 256 * 1024
const bindTimeoutMs = 10_000
const responseTimeoutMs = 30_000
const incompleteMs = 5_000
/** Of the time for the drain of the process. */
const drainShare = 0.5
const capsConnections = 4
const capsStatementMs = 5_000

export async function startSmppServer(runtime: MemberRuntime): Promise<Role> {
  const { config, log, metrics, database, broker, topology, encryption } = runtime
  const { smppServerHost: host, smppServerPort: port } = config
  if (port === undefined)
    throw new ConfigError('POSTERN_SMPP_SERVER_PORT is not set: the SMPP server has no port to listen on.')
  const certificate =
    config.smppServerTls === 'off'
      ? undefined
      : readCertificate({ ...config, httpHost: host }, log, 'the SMPP server')
  const membership = runtime.join()
  const accounts = createAccountDirectory(database, log)
  const capsDatabase = openDatabase(config.databaseUrl, log, {
    ...{ connections: capsConnections, statementMs: capsStatementMs },
    onStatement: (statement) => metrics.statements.inc({ statement }),
  })
  const limits = limitsFromConfig(runtime)
  const trust = createTrust(database, config, log, metrics, encryption, {
    capsDatabase,
    velocity: { limiter: limits.limiter, secret: config.tokenSecret },
  })
  // Never aborted: a stop during the start ends the process.
  const { signal } = new AbortController()
  await Promise.all([
    accounts.startLoaded(signal),
    trust.cache.startLoaded(signal),
    retryTransient(() => broker.declare(Object.values(topology.accepted)), {
      what: 'connecting to the broker',
      log,
      signal,
    }),
  ])
  checkTrustAtStart(trust.cache.value, config, log)
  const familiar = await readLastUses(database).catch(() => [])
  const uses = startCredentialUses(database, log)
  const freshness = createFreshness([accounts], {
    maxMinutes: config.maxCopyAgeMinutes,
    reserveMinutes: config.reserveMinutes,
  })
  // A name of its own: beside the API in one process, the counts of both are kept apart.
  const name = randomBytes(6).toString('hex')
  const admission = startAdmission({
    ...{ broker, topology, processId: name, metrics, log, queuePrefix: config.queuePrefix },
    reserve: {
      messages: config.reserveMessages,
      bytes: config.reserveBytes,
      minutes: config.reserveMinutes,
    },
  })
  const gate = startGateCounter(database, log, name)
  const checkLogin = createCheckLogin({
    ...{ accounts, familiar, uses, requireFresh: freshness.require },
    find: ({ bySystemId }, id) => bySystemId.get(id),
    passwordsOf: ({ smppPasswords }) => smppPasswords,
    throttle: createTokenThrottle(limits.limiter, {
      requestsPerMinute: config.tokenRequestsPerMinute,
      failuresPerMinute: config.tokenFailuresPerMinute,
      addressFailuresPerMinute: config.tokenAddressFailuresPerMinute,
    }),
  })
  const accept = createAccept({
    ...{ publisher: broker.publisher, queues: topology.accepted, cell: config.cell },
    gate: gate.counter,
    admission,
    metrics,
    trace: runtime.trace,
  })
  const checkSteps = createCheckSteps({
    policy: trust,
    files: createFileLookup(database),
    publicFileBase: config.publicFileBase,
  })
  const send = createSend({ accept, admit: admission.admit, checkSteps, counting: trust })
  const submit = createSubmit({
    ...{ send, limits, database, cell: config.cell, log },
    openBlindIndex: () => encryption.blindIndex(database),
  })
  const binds = new Binds(database, membership, log)
  const reportWaiters = new FeedWaiters(database, log, reportFeed)
  const replyWaiters = new FeedWaiters(database, log, replyFeed)
  const server = new SmppServer({
    ...{ accounts, checkLogin, binds, submit, metrics, log, requireFresh: freshness.require },
    onRoom: (accountId) => deliveries.pump(accountId),
    maxConnections: config.smppServerConnections,
    proxyProtocol: config.smppServerProxyProtocol === 'yes',
    limits: {
      ...{ bindTimeoutMs, responseTimeoutMs, maxPduBytes, maxBacklogBytes },
      window: config.smppServerWindow,
      deliverWindow: config.smppServerDeliverWindow,
      enquireIntervalMs: config.smppServerEnquireSeconds * 1_000,
      enquireTimeoutMs: config.smppServerEnquireSeconds * 1_000,
    },
  })
  const deliveries: Deliveries = new Deliveries({
    ...{ accounts, database, membership, reportWaiters, replyWaiters, log },
    formatTime: createTimeFormat(config.timeZone),
    receiversOf: (accountId, scope) => server.receiversOf(accountId, scope),
    receivingAccounts: () => server.receivingAccounts(),
    onResult: (kind, result) => metrics.smppDeliveries.inc({ kind, result }),
  })
  const ending = every(incompleteMs, 'ending incomplete messages of SMPP clients', log, async () => {
    await endSeries({ database, send, log, accountOf: (accountId) => accounts.value.byId.get(accountId) })
  })
  // Binds are counted over all processes as a member.
  await membership.firstAttempt
  const tlsServer = await server.listen(host, port, certificate)
  log.info({ host, port: server.port, tls: certificate !== undefined }, 'SMPP server listening')
  const reloading =
    certificate === undefined || tlsServer === undefined
      ? undefined
      : reloadCertificate(tlsServer, config, certificate, log)
  return {
    readiness: () => ({ broker: broker.canPublish, accounts: accounts.loaded && freshness.isFresh() }),
    async drain() {
      await reloading?.stop()
      await server.stop(config.drainSeconds * 1_000 * drainShare)
      await deliveries.stop()
      await Promise.all([reportWaiters.stop(), replyWaiters.stop(), ending.stop()])
      await binds.stop()
      accounts.stop()
      // After the last request, which may reserve a block of a cap.
      await trust.stop()
      await admission.stop()
      await gate.stop()
      await uses.stop()
      await capsDatabase.end()
    },
  }
}
