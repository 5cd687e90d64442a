/**
 * The SMPP server role: the second entry for clients. A message that is submitted over SMPP passes the
 * checks, limits and acceptance of the API; receipts and replies are delivered to the binds of its account.
 * Like the API, it needs the broker and the loaded accounts to accept a message, and PostgreSQL for parts of
 * long messages and for deliveries.
 */
import { readLastUses, startCredentialUses } from '../identity/accounts/credential-uses.ts'
import { createAccountDirectory } from '../identity/accounts/directory.ts'
import { createFreshness } from '../edge/api/server/freshness.ts'
import { readCertificate, reloadCertificate } from '../edge/api/server/listen.ts'
import { createCheckLogin } from '../edge/api/tokens/login.ts'
import { createTokenThrottle } from '../edge/api/tokens/throttle.ts'
import { createTimeFormat } from '../contract/times.ts'
import { ConfigError } from '../platform/settings/config.ts'
import { every } from '../platform/time/periodic.ts'
import { retryTransient } from '../platform/database/retry.ts'
import { FeedWaiters } from '../records/feed/waiters.ts'
import { replyFeed } from '../records/replies/queries.ts'
import { reportFeed } from '../records/reports/queries.ts'
import { Binds } from '../edge/smpp/session/binds.ts'
import { Deliveries } from '../edge/smpp/delivery/deliveries.ts'
import { endSeries } from '../edge/smpp/submit/end-series.ts'
import { SmppServer } from '../edge/smpp/session/server.ts'
import { createSubmit } from '../edge/smpp/submit/submit.ts'
import { openMessageEntry } from './message-entry.ts'
import type { Role } from './role.ts'
import type { MemberRuntime } from './runtime.ts'

/** Large enough for a text of 2,000 bytes in UCS-2 with its headers and parameters. */
const maxPduBytes = 8_192
/** Maximum size of responses that a client does not read. */
const maxBacklogBytes = 256 * 1024
const bindTimeoutMs = 10_000
const responseTimeoutMs = 30_000
const endIncompleteEveryMs = 5_000
/** Fraction of the process's drain time in which clients can unbind; the rest is for the other work. */
const unbindFraction = 0.5

export async function startSmppServer(runtime: MemberRuntime): Promise<Role> {
  const { config, log, metrics, database, broker, topology, encryption } = runtime
  const { smppServerHost: host, smppServerPort: port } = config
  if (port === undefined)
    throw new ConfigError(
      'POSTERN_SMPP_SERVER_PORT is not set; set it to the port on which the SMPP server is to listen.',
    )
  const certificate =
    config.smppServerTls === 'off'
      ? undefined
      : readCertificate(
          { ...config, httpHost: host },
          log,
          'the SMPP server',
          'set POSTERN_SMPP_SERVER_TLS=off for a private network or behind your own proxy that terminates TLS',
        )
  const membership = runtime.join()
  const accounts = createAccountDirectory(database, log)
  // This signal is never aborted: a stop during the start ends the process.
  const { signal } = new AbortController()
  await Promise.all([
    accounts.startLoaded(signal),
    retryTransient(() => broker.declare(Object.values(topology.accepted)), {
      what: 'connecting to the broker',
      log,
      signal,
    }),
  ])
  const entry = await openMessageEntry(runtime)
  const { send, limits } = entry
  const knownClients = await readLastUses(database).catch(() => [])
  const uses = startCredentialUses(database, log)
  const freshness = createFreshness([accounts], {
    maxMinutes: config.cacheMaxAgeMinutes,
    reserveMinutes: config.reserveMinutes,
  })
  const checkLogin = createCheckLogin({
    accounts,
    knownRequesters: knownClients,
    uses,
    requireFresh: freshness.require,
    find: ({ bySystemId }, id) => bySystemId.get(id),
    getPasswords: ({ smppPasswords }) => smppPasswords,
    throttle: createTokenThrottle(limits.limiter, {
      requestsPerMinute: config.tokenRequestsPerMinute,
      failuresPerMinute: config.tokenFailuresPerMinute,
      addressFailuresPerMinute: config.tokenAddressFailuresPerMinute,
    }),
  })
  const submit = createSubmit({
    send,
    limits,
    database,
    cell: config.cell,
    log,
    openBlindIndex: () => encryption.blindIndex(database),
  })
  const binds = new Binds(database, membership, log)
  const reportWaiters = new FeedWaiters(database, log, reportFeed)
  const replyWaiters = new FeedWaiters(database, log, replyFeed)
  const server = new SmppServer({
    accounts,
    checkLogin,
    binds,
    submit,
    metrics,
    log,
    requireFresh: freshness.require,
    onRoom: (accountId) => deliveries.pump(accountId),
    maxConnections: config.smppServerConnections,
    knownAddresses: knownClients.map(({ address }) => address),
    proxyProtocol: config.smppServerProxyProtocol === 'yes',
    limits: {
      bindTimeoutMs,
      responseTimeoutMs,
      maxPduBytes,
      maxBacklogBytes,
      window: config.smppServerWindow,
      deliverWindow: config.smppServerDeliverWindow,
      enquireIntervalMs: config.smppServerEnquireSeconds * 1_000,
      enquireTimeoutMs: config.smppServerEnquireSeconds * 1_000,
    },
  })
  const deliveries: Deliveries = new Deliveries({
    accounts,
    database,
    membership,
    reportWaiters,
    replyWaiters,
    log,
    formatTime: createTimeFormat(config.timeZone),
    listReceivers: (accountId, scope) => server.listReceivers(accountId, scope),
    receivingAccounts: () => server.receivingAccounts(),
    onResult: (kind, result) => metrics.smppDeliveries.inc({ kind, result }),
  })
  const ending = every(endIncompleteEveryMs, 'ending incomplete messages of SMPP clients', log, async () => {
    await endSeries({ database, send, log, getAccount: (accountId) => accounts.value.byId.get(accountId) })
  })
  // Binds are counted over all processes, which requires membership.
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
      await server.stop(config.drainSeconds * 1_000 * unbindFraction)
      await deliveries.stop()
      await Promise.all([reportWaiters.stop(), replyWaiters.stop(), ending.stop()])
      await binds.stop()
      accounts.stop()
      await entry.stop()
      await uses.stop()
    },
  }
}
