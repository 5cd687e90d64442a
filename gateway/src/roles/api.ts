/** The API role: accepts messages and answers questions about them. To accept, it needs the broker alone. */
import type { FastifyRequest } from 'fastify'
import { createAccept } from '../accept/accept.ts'
import { destinationCount } from '../accept/destination-count.ts'
import { sendRoutes } from '../accept/http.ts'
import { readSendAt } from '../accept/send-at.ts'
import { checkFlow } from '../accept/omni.ts'
import { createCheckFiles } from '../accept/files.ts'
import { tolerate } from '../accept/quirks.ts'
import { createRouteOf } from '../accept/dry-run-route.ts'
import { createAccountDirectory } from '../accounts/directory.ts'
import { createAuthenticate, requireAccount } from '../edge/authenticate.ts'
import { createServer } from '../edge/server.ts'
import { fileContentRoutes } from '../files/content.ts'
import { fileRoutes } from '../files/http.ts'
import { createFileLookup } from '../files/lookup.ts'
import { openConfiguredStore } from '../files/open.ts'
import { formRoutes } from '../forms/http.ts'
import { createFormLookup } from '../forms/lookup.ts'
import { idempotent, reservedKey } from '../idempotency/http.ts'
import { createIdempotencyStore } from '../idempotency/store.ts'
import { limited } from '../limits/http.ts'
import { openLimits } from '../limits/open.ts'
import { cancelRoutes } from '../messages/http.ts'
import { storyRoutes } from '../messages/story/http.ts'
import { createMsgKey } from '../platform/keys.ts'
import { untilDone } from '../platform/retry.ts'
import { createTimeFormat } from '../platform/times.ts'
import { referenceRoutes } from '../reference/http.ts'
import { ReportHeads } from '../reports/heads.ts'
import { reportRoutes } from '../reports/http.ts'
import { streamRoutes } from '../reports/stream-http.ts'
import { createRouteTable } from '../routes/table.ts'
import type { Runtime } from '../runtime.ts'
import { usageRoutes } from '../usage/http.ts'
import { tokenRoutes } from '../tokens/http.ts'
import { createTokenIssuer } from '../tokens/issue.ts'
import { createTokenThrottle } from '../tokens/throttle.ts'
import { createTokenKey } from '../tokens/token.ts'
import { webhookRoutes } from '../webhooks/http.ts'
import { openGuard } from '../webhooks/open.ts'
import type { Role } from './role.ts'

/** What a send may take beside its publishing. */
const answerMs = 3_000

export interface ApiRole extends Role {
  readonly address: string
}

export async function startApi(runtime: Runtime): Promise<ApiRole> {
  const { config, log, metrics, database, broker, topology, redis } = runtime
  const accounts = createAccountDirectory(database, log)
  // For dry runs alone: sends are accepted without it.
  const routes = createRouteTable(database, log)
  await Promise.all([
    accounts.start(),
    routes.start(),
    untilDone(() => broker.declare([topology.accepted]), {
      what: 'reaching the broker',
      log,
      signal: new AbortController().signal,
    }),
  ])
  const key = createTokenKey(config.tokenSecret)
  const throttle = createTokenThrottle(redis, {
    requestsPerMinute: config.tokenRequestsPerMinute,
    failuresPerMinute: config.tokenFailuresPerMinute,
    keyPrefix: config.queuePrefix,
  })
  const store = await openConfiguredStore(config)
  const lookup = createFileLookup(database)
  const forms = createFormLookup(database)
  const formatTime = createTimeFormat(config.timeZone)
  const accept = createAccept({
    publisher: broker.publisher,
    queue: topology.accepted,
    cell: config.cell,
    metrics,
  })
  const heads = new ReportHeads(database, log)
  const limits = openLimits(runtime, requireAccount)
  const idempotency = {
    store: createIdempotencyStore({
      redis,
      keyPrefix: config.queuePrefix,
      leaseMs: config.publishTimeoutMs + answerMs,
    }),
    accountOf: requireAccount,
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
    accountOf: requireAccount,
    reservedKey,
  })
  const files = fileRoutes({
    database,
    store,
    lookup,
    formatTime,
    publicFileBase: config.publicFileBase,
    accountOf: requireAccount,
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
      limited('send', limits, cancelRoutes({ database, accountOf: requireAccount })),
      limited('file', limits, files),
      limited(
        'form',
        limits,
        formRoutes({
          database,
          checkFlow,
          tolerate: (body) => tolerate('form', body),
          formatTime,
          lookup: forms,
          accountOf: requireAccount,
        }),
      ),
      limited('report', limits, reportRoutes({ database, formatTime, accountOf: requireAccount })),
      limited(
        'report',
        limits,
        usageRoutes({ database, timeZone: config.timeZone, accountOf: requireAccount }),
      ),
      limited('report', limits, storyRoutes({ database, formatTime, accountOf: requireAccount })),
      limited('report', limits, streamRoutes({ database, heads, formatTime, accountOf: requireAccount })),
      limited(
        'report',
        limits,
        webhookRoutes({ database, guard: openGuard(config), formatTime, accountOf: requireAccount }),
      ),
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
    address,
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
