/** The API role: accepts messages and answers questions about them. To accept, it needs the broker alone. */
import type { FastifyRequest } from 'fastify'
import { createAccept } from '../pipeline/accept/accept.ts'
import { destinationCount } from '../pipeline/accept/destination-count.ts'
import { sendRoutes } from '../pipeline/accept/http.ts'
import { readSendAt } from '../pipeline/accept/send-at.ts'
import { checkFlow } from '../pipeline/accept/omni.ts'
import { createCheckFiles } from '../pipeline/accept/files.ts'
import { normalizeSdkBody } from '../pipeline/accept/sdk-compat.ts'
import { createRouteOf } from '../pipeline/accept/dry-run-route.ts'
import { createAccountDirectory } from '../accounts/directory.ts'
import { createAuthenticate } from '../api/server/authenticate.ts'
import { createServer } from '../api/server/server.ts'
import { fileContentRoutes } from '../files/content.ts'
import { fileRoutes } from '../files/http.ts'
import { createFileLookup } from '../files/lookup.ts'
import { storeFromConfig } from '../files/from-config.ts'
import { formRoutes } from '../forms/http.ts'
import { createFormLookup } from '../forms/lookup.ts'
import { idempotent, reservedKey } from '../api/idempotency/http.ts'
import { createIdempotencyStore } from '../api/idempotency/store.ts'
import { limited } from '../api/limits/http.ts'
import { limitsFromConfig } from '../api/limits/from-config.ts'
import { cancelRoutes } from '../records/messages/http.ts'
import { timelineRoutes } from '../records/timeline/http.ts'
import { createMsgKey } from '../contract/msg-key.ts'
import { retryTransient } from '../platform/retry.ts'
import { createTimeFormat } from '../contract/times.ts'
import { referenceRoutes } from '../api/reference/http.ts'
import { ReportWaiters } from '../records/reports/report-waiters.ts'
import { reportRoutes } from '../records/reports/http.ts'
import { streamRoutes } from '../records/reports/stream-http.ts'
import { createRouteTable } from '../routes/table.ts'
import type { Runtime } from './runtime.ts'
import { usageRoutes } from '../records/usage/http.ts'
import { tokenRoutes } from '../api/tokens/http.ts'
import { createTokenIssuer } from '../api/tokens/issue.ts'
import { createTokenThrottle } from '../api/tokens/throttle.ts'
import { createTokenKey } from '../api/tokens/token.ts'
import { webhookRoutes } from '../webhooks/http.ts'
import { guardFromConfig } from '../webhooks/from-config.ts'
import type { Role } from './role.ts'

/** What a send may take beside its publishing. */
const answerMs = 3_000

export async function startApi(runtime: Runtime): Promise<Role> {
  const { config, log, metrics, database, broker, topology, redis } = runtime
  const accounts = createAccountDirectory(database, log)
  // For dry runs alone: sends are accepted without it.
  const routes = createRouteTable(database, log)
  await Promise.all([
    accounts.start(),
    routes.start(),
    retryTransient(() => broker.declare([topology.accepted]), {
      what: 'reaching the broker',
      log,
      signal: new AbortController().signal,
    }),
  ])
  const key = createTokenKey(config.tokenSecret)
  const store = await storeFromConfig(config)
  const lookup = createFileLookup(database)
  const forms = createFormLookup(database)
  const formatTime = createTimeFormat(config.timeZone)
  const accept = createAccept({
    publisher: broker.publisher,
    queue: topology.accepted,
    cell: config.cell,
    metrics,
  })
  const heads = new ReportWaiters(database, log)
  const limits = limitsFromConfig(runtime)
  const throttle = createTokenThrottle(limits.limiter, {
    requestsPerMinute: config.tokenRequestsPerMinute,
    failuresPerMinute: config.tokenFailuresPerMinute,
  })
  const idempotency = {
    store: createIdempotencyStore({
      redis,
      keyPrefix: config.queuePrefix,
      leaseMs: config.publishTimeoutMs + answerMs,
    }),
    proposeKeys: (request: FastifyRequest) =>
      Array.from({ length: destinationCount(request) }, () =>
        createMsgKey(config.cell, readSendAt(request) ?? new Date()),
      ),
    log,
  }
  const sends = sendRoutes({
    accept,
    forms,
    routeOf: createRouteOf(routes),
    stepTtlSeconds: config.stepTtlSeconds,
    checkFiles: createCheckFiles(lookup, config.publicFileBase),
    reservedKey,
  })
  const files = fileRoutes({
    database,
    store,
    lookup,
    formatTime,
    publicFileBase: config.publicFileBase,
  })
  const server = createServer({
    log,
    metrics,
    authenticate: createAuthenticate(accounts, key),
    open: [
      tokenRoutes({
        issuer: createTokenIssuer(accounts, key, throttle),
        credentialPrefixes: config.credentialPrefixes,
        formatTime,
        proxyHops: config.proxyHops,
      }),
      fileContentRoutes({ lookup, store }),
      referenceRoutes({ credentialPrefix: config.credentialPrefixes[0]! }),
    ],
    authenticated: [
      limited('send', limits, idempotent(idempotency, sends), destinationCount),
      limited('send', limits, cancelRoutes({ database })),
      limited('file', limits, files),
      limited(
        'form',
        limits,
        formRoutes({
          database,
          checkFlow,
          tolerate: (body) => normalizeSdkBody('form', body),
          formatTime,
          lookup: forms,
        }),
      ),
      limited('report', limits, reportRoutes({ database, formatTime })),
      limited('report', limits, usageRoutes({ database, timeZone: config.timeZone })),
      limited('report', limits, timelineRoutes({ database, formatTime })),
      limited('report', limits, streamRoutes({ database, heads, formatTime })),
      limited('report', limits, webhookRoutes({ database, guard: guardFromConfig(config), formatTime })),
    ],
  })
  let leaving = false
  server.addHook('onSend', (_request, reply, payload, done) => {
    // A kept connection that is closed under a client's next request would leave it in doubt.
    if (leaving) void reply.header('connection', 'close')
    done(null, payload)
  })
  const address = await server.listen({ host: config.httpHost, port: config.httpPort })
  log.info({ address }, 'api listening')
  return {
    readiness: () => ({ broker: broker.canPublish, accounts: accounts.loaded }),
    leave() {
      leaving = true
    },
    async drain() {
      accounts.stop()
      routes.stop()
      await heads.stop()
      await server.close()
    },
  }
}
