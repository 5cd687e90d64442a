/**
 * The API role: accepts messages and serves reports, files, forms and webhooks. To accept a message it needs
 * the broker and the loaded accounts; PostgreSQL may be unavailable. It listens once the accounts, the trust rules
 * and the token keys are loaded and the broker is connected.
 */
import type { Server as HttpsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import { readLastUses, startCredentialUses } from '../identity/accounts/credential-uses.ts'
import { createAccountDirectory, type AccountDirectory } from '../identity/accounts/directory.ts'
import { limitsFromConfig } from '../edge/api/limits/from-config.ts'
import { createAuthenticate } from '../edge/api/server/authenticate.ts'
import { limitConnections } from '../edge/api/server/connections.ts'
import { createFreshness } from '../edge/api/server/freshness.ts'
import {
  readCertificate,
  reloadCertificate,
  requireProxyHops,
  type ServerCertificate,
} from '../edge/api/server/listen.ts'
import { createServer } from '../edge/api/server/server.ts'
import { createKeyRing } from '../edge/api/tokens/key-ring.ts'
import { createTokens, type TokenKey } from '../edge/api/tokens/token.ts'
import { every } from '../platform/time/periodic.ts'
import { processId } from '../platform/process-id.ts'
import { retryTransient } from '../platform/database/retry.ts'
import { startAdmission } from '../pipeline/admission/admission.ts'
import { startGateCounter } from '../records/ledger/gate-counter.ts'
import { FeedWaiters } from '../records/feed/waiters.ts'
import { replyFeed } from '../records/replies/queries.ts'
import { reportFeed } from '../records/reports/queries.ts'
import { createRouteTable, type RouteTable } from '../carriers/routes/table.ts'
import { checkTrustAtStart } from '../trust/start.ts'
import { createTrust, type Trust } from '../trust/policy.ts'
import { openApiDatabases } from './api-databases.ts'
import { createEndpoints, type ApiOptions } from './api-endpoints.ts'
import type { Role } from './role.ts'
import type { Runtime } from './runtime.ts'

export interface Api extends Role {
  /** The server, which does not listen yet. */
  readonly server: FastifyInstance
  /** `undefined` if the server listens in plaintext. */
  readonly certificate: ServerCertificate | undefined
  readonly accounts: AccountDirectory
  readonly tokenKey: TokenKey
  readonly trust: Trust
  readonly routes: RouteTable
}

export async function startApi(runtime: Runtime): Promise<Role> {
  const { config, log } = runtime
  const { server, certificate, ...role } = await createApi(runtime)
  limitConnections(server.server, config.httpConnections, log)
  const address = await server.listen({ host: config.httpHost, port: config.httpPort })
  log.info({ address }, 'api listening')
  const reloading =
    certificate === undefined
      ? undefined
      : reloadCertificate(server.server as unknown as HttpsServer, config, certificate, log)
  return {
    ...role,
    async drain() {
      await reloading?.stop()
      await role.drain()
    },
  }
}

/** Builds the API without listening. */
export async function createApi(runtime: Runtime, options: ApiOptions = {}): Promise<Api> {
  requireProxyHops(runtime.config, runtime.config.proxyHops, 'POSTERN_PROXY_HOPS')
  const certificate = readCertificate(runtime.config, runtime.log)
  const { config, log, metrics, database, broker, topology, encryption } = runtime
  const accounts = createAccountDirectory(database, log)
  const tokenKeys = createKeyRing(database, log, config.tokenSecret)
  // For dry runs, carrier requests and the kinds of RCS templates; messages are accepted without it.
  const routes = createRouteTable(database, log, encryption)
  const databases = openApiDatabases(runtime)
  const limits = limitsFromConfig(runtime)
  const trust = createTrust(database, config, log, metrics, encryption, {
    capsDatabase: databases.caps,
    limiter: limits.limiter,
  })
  // This signal is never aborted: a stop during the start ends the process.
  const { signal } = new AbortController()
  await Promise.all([
    accounts.startLoaded(signal),
    trust.cache.startLoaded(signal),
    tokenKeys.startLoaded(signal),
    routes.start(),
    retryTransient(
      () => broker.declare([...Object.values(topology.accepted), topology.receipts, topology.optOuts]),
      { what: 'connecting to the broker', log, signal },
    ),
  ])
  checkTrustAtStart(trust.cache.value, config, log)
  const tokenKey = createTokens(tokenKeys, config.cell)
  // Without these rows, known clients are limited like unknown ones until they have logged in once.
  const knownClients = await readLastUses(database).catch(() => [])
  const reportWaiters = new FeedWaiters(database, log, reportFeed)
  const replyWaiters = new FeedWaiters(database, log, replyFeed)
  const admission = startAdmission({
    broker,
    topology,
    processId,
    metrics,
    log,
    queuePrefix: config.queuePrefix,
    reserve: { messages: config.reserveMessages, bytes: config.reserveBytes, minutes: config.reserveMinutes },
  })
  const uses = startCredentialUses(database, log)
  const freshness = createFreshness([accounts, tokenKeys], {
    maxMinutes: config.cacheMaxAgeMinutes,
    reserveMinutes: config.reserveMinutes,
  })
  const showAge = every(5_000, 'measuring the age of accounts', log, () => {
    metrics.copyAge.set(freshness.ageSeconds())
    return Promise.resolve()
  })
  const gate = startGateCounter(database, log, processId)
  const server = createServer({
    log,
    metrics,
    certificate,
    isBehindHttps: config.httpPlaintext === 'proxy',
    authenticate: createAuthenticate({
      accounts,
      tokenKey,
      uses,
      requireFresh: freshness.require,
      proxyHops: config.proxyHops,
    }),
    ...(await createEndpoints(
      runtime,
      {
        accounts,
        routes,
        policy: trust,
        tokenKey,
        knownClients,
        uses,
        reportWaiters,
        replyWaiters,
        admission,
        limits,
        requireFresh: freshness.require,
        databases,
        gate: gate.counter,
      },
      options,
    )),
  })
  let stopping = false
  server.addHook('onSend', (_request, reply, payload, done) => {
    // If an idle connection closed while the client sends its next request, the client could not know whether
    // it was processed.
    if (stopping) void reply.header('connection', 'close')
    done(null, payload)
  })
  return {
    server,
    certificate,
    accounts,
    tokenKey,
    trust,
    routes,
    readiness: () => ({ broker: broker.canPublish, accounts: accounts.loaded && freshness.isFresh() }),
    prepareStop() {
      stopping = true
    },
    async drain() {
      accounts.stop()
      tokenKeys.stop()
      routes.stop()
      await Promise.all([reportWaiters.stop(), replyWaiters.stop()])
      await showAge.stop()
      await server.close()
      // Stop after the last request, which may reserve a block of a cap.
      await trust.stop()
      await admission.stop()
      await gate.stop()
      await uses.stop()
      await databases.close()
    },
  }
}
