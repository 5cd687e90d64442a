/**
 * The API role: accepts messages and serves reports, files, forms and webhooks. To accept a message it needs the broker
 * and the accounts it has loaded; PostgreSQL may be unavailable. It listens as soon as they are loaded.
 */
import type { Server as HttpsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import { readLastUses, startCredentialUses } from '../accounts/credential-uses.ts'
import { createAccountDirectory, type AccountDirectory } from '../accounts/directory.ts'
import { limitsFromConfig } from '../api/limits/from-config.ts'
import { createAuthenticate } from '../api/server/authenticate.ts'
import { limitConnections } from '../api/server/connections.ts'
import { createFreshness } from '../api/server/freshness.ts'
import {
  readCertificate,
  reloadCertificate,
  requireProxyHops,
  type ServerCertificate,
} from '../api/server/listen.ts'
import { createServer } from '../api/server/server.ts'
import { createKeyRing } from '../api/tokens/key-ring.ts'
import { createTokens, type TokenKey } from '../api/tokens/token.ts'
import { every } from '../platform/periodic.ts'
import { processId } from '../platform/process-id.ts'
import { retryTransient } from '../platform/retry.ts'
import { startAdmission } from '../pipeline/admission/admission.ts'
import { startGateCounter } from '../records/ledger/gate-counter.ts'
import { FeedWaiters } from '../records/feed/waiters.ts'
import { replyFeed } from '../records/replies/queries.ts'
import { reportFeed } from '../records/reports/queries.ts'
import { createRouteTable, type RouteTable } from '../routes/table.ts'
import { checkTrustAtStart } from '../trust/start.ts'
import { createTrust, type Trust } from '../trust/policy.ts'
import { openApiDatabases } from './api-databases.ts'
import { createEndpoints, type ApiOptions } from './api-endpoints.ts'
import type { Role } from './role.ts'
import type { Runtime } from './runtime.ts'

export interface Api extends Role {
  /** Does not listen yet. */
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

/** Builds the API, which does not listen. */
export async function createApi(runtime: Runtime, options: ApiOptions = {}): Promise<Api> {
  requireProxyHops(runtime.config, runtime.config.proxyHops, 'POSTERN_PROXY_HOPS')
  const certificate = readCertificate(runtime.config, runtime.log)
  const { config, log, metrics, database, broker, topology, encryption } = runtime
  const accounts = createAccountDirectory(database, log)
  const tokenKeys = createKeyRing(database, log, config.tokenSecret)
  // For dry runs and requests of carriers: messages are accepted without it.
  const routes = createRouteTable(database, log, encryption)
  const databases = openApiDatabases(runtime)
  const limits = limitsFromConfig(runtime)
  const trust = createTrust(database, config, log, metrics, encryption, {
    capsDatabase: databases.caps,
    velocity: { limiter: limits.limiter, secret: config.tokenSecret },
  })
  // Never aborted: a stop during the start ends the process.
  const { signal } = new AbortController()
  await Promise.all([
    accounts.startLoaded(signal),
    trust.cache.startLoaded(signal),
    tokenKeys.startLoaded(signal),
    routes.start(),
    retryTransient(
      () => broker.declare([...Object.values(topology.accepted), topology.receipts, topology.optOuts]),
      {
        what: 'connecting to the broker',
        log,
        signal,
      },
    ),
  ])
  checkTrustAtStart(trust.cache.value, config, log)
  const tokenKey = createTokens(tokenKeys, config.cell)
  // Without it, clients that are known to be genuine wait like strangers until they have logged in once.
  const familiar = await readLastUses(database).catch(() => [])
  const reportWaiters = new FeedWaiters(database, log, reportFeed)
  const replyWaiters = new FeedWaiters(database, log, replyFeed)
  const admission = startAdmission({
    ...{ broker, topology, processId, metrics, log, queuePrefix: config.queuePrefix },
    reserve: {
      messages: config.reserveMessages,
      bytes: config.reserveBytes,
      minutes: config.reserveMinutes,
    },
  })
  const uses = startCredentialUses(database, log)
  const freshness = createFreshness([accounts, tokenKeys], {
    maxMinutes: config.maxCopyAgeMinutes,
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
    isBehindHttps: config.httpClear === 'proxy',
    authenticate: createAuthenticate({
      ...{ accounts, tokenKey, uses, requireFresh: freshness.require },
      proxyHops: config.proxyHops,
    }),
    ...(await createEndpoints(
      runtime,
      {
        accounts,
        routes,
        policy: trust,
        tokenKey,
        familiar,
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
    // If a kept connection closed under a client's next request, the client could not know whether it was processed.
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
      // After the last request, which may reserve a block of a cap.
      await trust.stop()
      await admission.stop()
      await gate.stop()
      await uses.stop()
      await databases.close()
    },
  }
}
