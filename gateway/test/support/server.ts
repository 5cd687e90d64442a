/**
 * The API as `roles/api.ts` puts it together, without a port: requests go in by `inject`. Accounts are real rows;
 * their tokens are signed here, because argon2 is slow on purpose and is tested where passwords are.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Redis } from 'ioredis'
import type { Admission } from '../../src/pipeline/admission/admission.ts'
import { createAccept } from '../../src/pipeline/accept/accept.ts'
import { destinationCount } from '../../src/pipeline/accept/destination-count.ts'
import { createCheckSteps } from '../../src/pipeline/accept/check-steps.ts'
import { createCheckFiles } from '../../src/pipeline/accept/files.ts'
import { createCheckTemplates } from '../../src/pipeline/accept/templates.ts'
import { createCheckTrust } from '../../src/pipeline/accept/trust.ts'
import { createHasRoute } from '../../src/pipeline/accept/dry-run-route.ts'
import { sendRoutes } from '../../src/pipeline/accept/http.ts'
import { readSendAt } from '../../src/pipeline/accept/send-at.ts'
import { createSend } from '../../src/pipeline/accept/send.ts'
import { createFormLookup } from '../../src/forms/lookup.ts'
import { createFileLookup } from '../../src/files/lookup.ts'
import { createAccountDirectory, type AccountDirectory } from '../../src/accounts/directory.ts'
import type { NewAccount } from '../../src/accounts/queries.ts'
import { openFingerprints } from '../../src/api/idempotency/fingerprint.ts'
import { idempotent, reservedKey } from '../../src/api/idempotency/http.ts'
import { createIdempotencyStore } from '../../src/api/idempotency/store.ts'
import { limited } from '../../src/api/limits/http.ts'
import { createLimiter } from '../../src/api/limits/limiter.ts'
import { cancelRoutes } from '../../src/records/messages/cancel-http.ts'
import { findContents } from '../../src/records/messages/find-contents.ts'
import { timelineRoutes } from '../../src/records/timeline/http.ts'
import { createMsgKey } from '../../src/contract/msg-key.ts'
import { createAuthenticate } from '../../src/api/server/authenticate.ts'
import { scoped } from '../../src/api/server/scoped.ts'
import { createServer } from '../../src/api/server/server.ts'
import { startCredentialUses } from '../../src/accounts/credential-uses.ts'
import type { Broker } from '../../src/platform/broker/broker.ts'
import type { Log } from '../../src/platform/log.ts'
import type { Topology } from '../../src/jobs/queues.ts'
import type { Database } from '../../src/platform/database.ts'
import { createTimeFormat } from '../../src/contract/times.ts'
import { FeedWaiters } from '../../src/records/feed/waiters.ts'
import { replyFeed } from '../../src/records/replies/queries.ts'
import { reportFeed } from '../../src/records/reports/queries.ts'
import { replyRoutes } from '../../src/records/replies/http.ts'
import { reportRoutes } from '../../src/records/reports/http.ts'
import { createRouteTable } from '../../src/routes/table.ts'
import { createTrust, type Trust } from '../../src/trust/policy.ts'
import { conversionRoutes } from '../../src/trust/abuse/conversion-http.ts'
import { suppressionRoutes } from '../../src/trust/suppression/http.ts'
import { openEncryption } from '../../src/platform/encryption/encryption.ts'
import type { TrustSettings } from '../../src/trust/settings.ts'
import { usageRoutes } from '../../src/records/usage/http.ts'
import { tokenRoutes } from '../../src/api/tokens/http.ts'
import { createTokenIssuer } from '../../src/api/tokens/issue.ts'
import { createTokenThrottle, type TokenThrottle } from '../../src/api/tokens/throttle.ts'
import { createTokenKey, type TokenKey } from '../../src/api/tokens/token.ts'
import { atEnd } from './cleanup.ts'
import { createAccount } from './fixtures.ts'
import { quietLog, testMetrics } from './silent-log.ts'

export interface TestServerOptions extends TrustSettings {
  readonly database: Database
  /** Creates the accounts, where `database` may not. */
  readonly owner?: Database
  readonly broker: Broker
  readonly topology: Topology
  /** '00' by default. */
  readonly cell?: string
  readonly throttle?: TokenThrottle
  readonly credentialPrefixes?: readonly string[]
  readonly proxyHops?: number
  /** For limits and Idempotency-Key; accounts have no limit unless a test gives them one. */
  readonly redis?: Redis
  /** Of what it keeps in Redis; servers with the same one are processes of one gateway. */
  readonly keyPrefix?: string
  /** How long the claim of an Idempotency-Key lives without an answer. */
  readonly leaseMs?: number
  /** Most memory of Redis for the Idempotency-Keys of an account; no limit when it is absent. */
  readonly maxKeyBytes?: number
  /** How long a duplicate waits for the first one's answer. */
  readonly duplicateWaitMs?: number
  /** Every send is admitted when it is absent. */
  readonly admit?: Admission['admit']
  /** Silent when it is absent. */
  readonly log?: Log
  /** Of the lists of recipients; `database` when it is absent. */
  readonly suppressionDatabase?: Database
  /** The time by which the rules of trust judge drafts; the clock's when it is absent. */
  readonly judgedAt?: () => number
}

export interface TestAccount {
  readonly id: number
  readonly clientId: string
  readonly token: string
}

export interface TestServer {
  readonly server: FastifyInstance
  readonly accounts: AccountDirectory
  readonly tokenKey: TokenKey
  /** Refresh its cache after a change of the tables of trust. */
  readonly trust: Trust
  /** A row in the database, known to the server, with a token that is valid now. */
  account(overrides?: Partial<NewAccount>): Promise<TestAccount>
  /** A request with the account's token; a body is sent as JSON. */
  call(
    account: TestAccount,
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  inject(options: InjectOptions): Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly headers: LightMyRequestResponse['headers']
  readonly body: Envelope
}

export interface Envelope {
  readonly code: string
  readonly result: string
  readonly [field: string]: unknown
}

export async function createTestServer(options: TestServerOptions): Promise<TestServer> {
  const metrics = testMetrics()
  const accounts = createAccountDirectory(options.database, quietLog)
  const { cell = '00' } = options
  const tokenKey = createTokenKey(randomBytes(32).toString('hex'), cell)
  const formatTime = createTimeFormat('Asia/Seoul')
  await accounts.refresh()
  const { redis, keyPrefix = 'test.' } = options
  const limits = {
    limiter: createLimiter({ redis, keyPrefix, waitMs: 500, metrics, log: quietLog }),
    defaults: { send: 0, report: 0, file: 0, form: 0 },
  }
  const throttle =
    options.throttle ??
    createTokenThrottle(limits.limiter, { requestsPerMinute: 1_000, failuresPerMinute: 1_000 })
  const encryption = openEncryption({})
  const idempotency = {
    store: createIdempotencyStore({
      redis,
      keyPrefix,
      leaseMs: options.leaseMs ?? 8_000,
      maxBytes: options.maxKeyBytes ?? 0,
      // Accounts are held to their share whatever the memory of this Redis.
      memory: { isScarce: () => true },
    }),
    proposeKeys: (request: FastifyRequest) =>
      Array.from({ length: destinationCount(request) }, () =>
        createMsgKey(cell, readSendAt(request) ?? new Date()),
      ),
    fingerprintOf: await openFingerprints(options.database, encryption),
    ...(options.duplicateWaitMs === undefined ? {} : { waitMs: options.duplicateWaitMs }),
    log: options.log ?? quietLog,
  }
  const routes = createRouteTable(options.database, quietLog)
  await routes.refresh()
  const trust = createTrust(options.database, options, quietLog, metrics, encryption)
  await trust.cache.refresh()
  const judgeDraft: Trust['judgeDraft'] = (accountId, subject) =>
    trust.judgeDraft(accountId, subject, options.judgedAt?.())
  const checkSteps = createCheckSteps(
    [createCheckTrust({ judgeDraft }), createCheckTemplates(routes)],
    createCheckFiles(createFileLookup(options.database), 'http://files.test/'),
  )
  const accept = createAccept({
    publisher: options.broker.publisher,
    queues: options.topology.accepted,
    cell,
    metrics,
  })
  const sends = sendRoutes({
    forms: createFormLookup(options.database),
    hasRoute: createHasRoute(routes, trust.mayUse),
    stepTtlSeconds: 86_400,
    checkSteps,
    send: createSend({
      ...{ accept, checkSteps, counting: trust },
      ...(options.admit === undefined ? {} : { admit: options.admit }),
    }),
    findReachedCap: trust.previewDraft,
    reservedKey,
  })
  const suppressions = suppressionRoutes({
    ...{ database: options.suppressionDatabase ?? options.database, formatTime },
    openBlindIndex: () => encryption.blindIndex(options.database),
  })
  const conversions = conversionRoutes({
    database: options.database,
    findContents: (accountId, msgKeys) => findContents(options.database, accountId, msgKeys),
  })
  const waiters = new FeedWaiters(options.database, quietLog, reportFeed)
  const replyWaiters = new FeedWaiters(options.database, quietLog, replyFeed)
  const uses = startCredentialUses(options.database, quietLog)
  atEnd(() => uses.stop())
  const server = createServer({
    log: options.log ?? quietLog,
    metrics,
    authenticate: createAuthenticate({ accounts, tokenKey, proxyHops: options.proxyHops ?? 0, uses }),
    open: [
      tokenRoutes({
        issuer: createTokenIssuer({ accounts, tokenKey, throttle }),
        credentialPrefixes: options.credentialPrefixes ?? ['SVC'],
        formatTime,
        metrics,
        proxyHops: options.proxyHops ?? 0,
      }),
    ],
    authenticated: [
      scoped('send', limited('send', limits, idempotent(idempotency, sends), destinationCount)),
      scoped('send', limited('send', limits, cancelRoutes({ database: options.database }))),
      scoped(
        'usage',
        limited('report', limits, usageRoutes({ database: options.database, timeZone: 'Asia/Seoul' })),
      ),
      scoped(
        'report',
        limited('report', limits, timelineRoutes({ database: options.database, cell, formatTime })),
      ),
      scoped(
        'report',
        limited('report', limits, reportRoutes({ database: options.database, waiters, formatTime })),
      ),
      scoped(
        'replies',
        limited(
          ...(['report', limits] as const),
          replyRoutes({ database: options.database, waiters: replyWaiters, formatTime }),
        ),
      ),
      scoped('send', limited('form', limits, suppressions)),
      scoped('send', limited('form', limits, conversions)),
    ],
  })
  atEnd(() => server.close())
  atEnd(() => waiters.stop())
  atEnd(() => replyWaiters.stop())

  async function inject(request: InjectOptions): Promise<Answer> {
    const response = await server.inject(request)
    return { status: response.statusCode, headers: response.headers, body: response.json<Envelope>() }
  }

  return {
    server,
    accounts,
    tokenKey,
    trust,
    inject,
    async account(overrides = {}) {
      const clientId = overrides.clientId ?? `acc${randomBytes(5).toString('hex')}`
      const id = await createAccount(options.owner ?? options.database, clientId, overrides)
      await accounts.refresh()
      const [password] = accounts.value.byId.get(id)!.passwords
      const { token } = tokenKey.issue(id, 1, new Date(), { credentialId: password!.id })
      return { id, clientId, token }
    },
    call: (account, method, url, body, headers = {}) =>
      inject({
        method,
        url,
        headers: {
          authorization: `Bearer ${account.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      }),
  }
}
