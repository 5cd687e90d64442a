/** The endpoints of the API role, with their limits: public ones and those behind a token. */
import type { FastifyRequest } from 'fastify'
import type { CredentialUses } from '../identity/accounts/credential-uses.ts'
import type { AccountDirectory } from '../identity/accounts/directory.ts'
import { openFingerprints } from '../edge/api/idempotency/fingerprint.ts'
import { getReserved, idempotent, noteDestinations } from '../edge/api/idempotency/http.ts'
import type { MemoryWatch } from '../edge/api/idempotency/memory.ts'
import { createIdempotencyStore } from '../edge/api/idempotency/store.ts'
import { withRateLimit, type LimitOptions } from '../edge/api/limits/http.ts'
import { limitWebhookUse } from '../edge/api/limits/webhook-use.ts'
import { referenceRoutes } from '../edge/api/reference/http.ts'
import { withScope } from '../edge/api/server/scoped.ts'
import type { createServer } from '../edge/api/server/server.ts'
import { clientAddress, toNetwork } from '../edge/api/tokens/address.ts'
import { tokenRoutes } from '../edge/api/tokens/http.ts'
import { createTokenIssuer } from '../edge/api/tokens/issue.ts'
import { createTokenThrottle, type Requester } from '../edge/api/tokens/throttle.ts'
import type { TokenKey } from '../edge/api/tokens/token.ts'
import { createMsgKey } from '../contract/msg-key.ts'
import { createTimeFormat } from '../contract/times.ts'
import { fileContentRoutes } from '../records/files/storage/content.ts'
import { openConfiguredStore } from '../records/files/from-config.ts'
import { fileRoutes } from '../records/files/http.ts'
import { createKeyMac } from '../records/files/key-mac.ts'
import { createFileLookup } from '../records/files/lookup.ts'
import { createPublicLookup } from '../records/files/public-lookup.ts'
import { formRoutes } from '../records/forms/http.ts'
import { createFormLookup } from '../records/forms/lookup.ts'
import { createQueueSender } from '../jobs/send-to-settle.ts'
import type { AdmissionController } from '../pipeline/admission/admission.ts'
import { createAccept } from '../pipeline/accept/accept.ts'
import { createCheckSteps } from '../pipeline/accept/check-steps.ts'
import { createHasRoute } from '../pipeline/accept/dry-run.ts'
import { checkFlow } from '../pipeline/accept/flow.ts'
import { countDestinations, sendRoutes } from '../pipeline/accept/http.ts'
import { parseSendAt } from '../pipeline/accept/query.ts'
import { normalizeSdkBody } from '../pipeline/accept/sdk-compat.ts'
import { createSend } from '../pipeline/accept/send.ts'
import { batchRoutes } from '../pipeline/batches/http.ts'
import { inboundRoutes } from '../pipeline/receipts/inbound.ts'
import { createReplySink } from '../pipeline/receipts/reply-sink.ts'
import { createReceiptSink } from '../pipeline/receipts/receipts.ts'
import type { GateCounter } from '../records/ledger/gate-counter.ts'
import { cancelRoutes } from '../records/messages/cancel-http.ts'
import { findContents } from '../records/messages/contents.ts'
import { messageListRoutes } from '../records/messages/list-http.ts'
import { replyRoutes } from '../records/replies/http.ts'
import { reportRoutes } from '../records/reports/http.ts'
import type { FeedWaiters } from '../records/feed/waiters.ts'
import { timelineRoutes } from '../records/timeline/http.ts'
import { usageRoutes } from '../records/usage/http.ts'
import type { RouteTable } from '../carriers/routes/table.ts'
import { conversionRoutes } from '../trust/abuse/conversion-http.ts'
import type { DraftCounting } from '../trust/abuse/draft-counting.ts'
import type { Policy, Trust } from '../trust/policy.ts'
import { createKeywordReader } from '../trust/suppression/choice.ts'
import { suppressionRoutes } from '../trust/suppression/http.ts'
import { guardFromConfig } from '../edge/webhooks/from-config.ts'
import { webhookRoutes } from '../edge/webhooks/http.ts'
import type { ApiDatabases } from './api-databases.ts'
import type { Runtime } from './runtime.ts'
import { clock } from '../platform/time/clock.ts'
import type { BlindIndex } from '../platform/encryption/blind-index.ts'

/** Number of report requests that a message search counts as, because it occupies a connection for longer. */
const searchCost = 10
/** Time that a send may take in addition to its publishing. */
const sendMarginMs = 3_000

export interface EndpointServices {
  readonly accounts: AccountDirectory
  readonly routes: RouteTable
  readonly policy: Policy & DraftCounting & Pick<Trust, 'findSenderAccounts' | 'findHolders'>
  readonly tokenKey: TokenKey
  /** Clients that have logged in before. */
  readonly knownClients: readonly Requester[]
  readonly uses: CredentialUses
  /** Throws if the cached accounts are too old to decide. */
  readonly requireFresh: () => void
  readonly reportWaiters: FeedWaiters
  readonly replyWaiters: FeedWaiters
  readonly admission: AdmissionController
  readonly limits: LimitOptions
  readonly gate: GateCounter
  readonly databases: Pick<ApiDatabases, 'reads' | 'searches' | 'images' | 'quotas' | 'suppression'>
}

/** Parts of the API that tests replace. */
export interface ApiOptions {
  /** Replaces the admission of sends. */
  readonly admit?: AdmissionController['admit']
  /** Returns the time at which trust rules check drafts. Defaults to the clock. */
  readonly rulesTime?: () => number
  /** Time that a duplicate waits for the response to the first request with its Idempotency-Key. */
  readonly duplicateWaitMs?: number
  /** Replaces the measurement of the free memory of Redis. */
  readonly redisMemory?: MemoryWatch
}

export type Endpoints = Pick<Parameters<typeof createServer>[0], 'open' | 'authenticated'>

export async function createEndpoints(
  runtime: Runtime,
  services: EndpointServices,
  options: ApiOptions = {},
): Promise<Endpoints> {
  const { config, log, metrics, database, broker, topology, redis } = runtime
  const {
    accounts,
    routes,
    policy,
    tokenKey,
    knownClients,
    uses,
    reportWaiters,
    replyWaiters,
    admission,
    limits,
    gate,
    databases,
    requireFresh,
  } = services
  const { publicFileUrl, stepTtlSeconds, timeZone } = config
  const store = await openConfiguredStore(config)
  const lookup = createFileLookup(database)
  const keyMac = createKeyMac(config.tokenSecret)
  const images = createPublicLookup(createFileLookup(databases.images), keyMac)
  const forms = createFormLookup(database)
  const formatTime = createTimeFormat(timeZone)
  const throttle = createTokenThrottle(limits.limiter, {
    requestsPerMinute: config.tokenRequestsPerMinute,
    failuresPerMinute: config.tokenFailuresPerMinute,
    addressFailuresPerMinute: config.tokenAddressFailuresPerMinute,
  })
  const accept = createAccept({
    publisher: broker.publisher,
    queues: topology.accepted,
    cell: config.cell,
    gate,
    admission,
    metrics,
    trace: runtime.trace,
  })
  const idempotency = {
    store: createIdempotencyStore({
      redis,
      keyPrefix: config.queuePrefix,
      leaseMs: config.publishTimeoutMs + sendMarginMs,
      maxBytes: config.idempotencyMegabytes * 1e6,
      memory: options.redisMemory,
    }),
    proposeKeys: (request: FastifyRequest) =>
      Array.from({ length: countDestinations(request) }, () =>
        createMsgKey(config.cell, new Date(Math.max(parseSendAt(request) ?? 0, clock.now()))),
      ),
    computeFingerprint: await openFingerprints(database, runtime.encryption),
    waitMs: options.duplicateWaitMs,
    log,
  }
  const checkDraft: Policy['checkDraft'] = (accountId, subject) =>
    policy.checkDraft(accountId, subject, options.rulesTime?.())
  const checkSteps = createCheckSteps({ policy: { checkDraft }, routes, files: lookup, publicFileUrl })
  const sends = sendRoutes({
    send: createSend({ accept, admit: options.admit ?? admission.admit, checkSteps, counting: policy }),
    forms,
    hasRoute: createHasRoute(routes, policy.isRouteAllowed),
    stepTtlSeconds,
    checkSteps,
    previewDraft: policy.findReachedLimits,
    getReserved,
    noteDestinations,
  })
  const formEndpoints = formRoutes({
    database,
    checkFlow,
    normalize: (body) => normalizeSdkBody('form', body),
    formatTime,
    lookup: forms,
  })
  const files = fileRoutes({
    database,
    store,
    lookup,
    formatTime,
    publicFileUrl,
    cell: config.cell,
    keyMac,
    quota: { files: config.fileQuotaCount, bytes: config.fileQuotaBytes },
    quotaDatabase: databases.quotas,
    imageLifetimeMs: config.imageLifetimeDays * 86_400_000,
  })
  const readKeyword = createKeywordReader(config)
  const openBlindIndex = (): Promise<BlindIndex> => runtime.encryption.blindIndex(database)
  const suppressions = suppressionRoutes({
    database: databases.suppression,
    formatTime,
    openBlindIndex,
    readKeyword,
  })
  const conversions = conversionRoutes({
    database: databases.reads,
    findContents: (accountId, msgKeys) => findContents(databases.reads, accountId, msgKeys),
  })
  const batches = batchRoutes({
    database,
    reads: databases.reads,
    searches: databases.searches,
    cell: config.cell,
    forms,
    openBlindIndex,
    findReachedCap: policy.findReachedCap,
    maxLines: config.batchLines,
    formatTime,
    computeFingerprint: idempotency.computeFingerprint,
  })
  const timelines = timelineRoutes({ database: databases.reads, cell: config.cell, formatTime })
  const messageList = messageListRoutes({
    database: databases.searches,
    formatTime,
    tokenSecret: config.tokenSecret,
  })
  const webhooks = webhookRoutes({
    database,
    guard: guardFromConfig(config),
    formatTime,
    requiresProof: config.webhookVerification === 'yes',
    limitUse: limitWebhookUse(limits.limiter),
    cipher: runtime.encryption,
  })
  return {
    open: [
      tokenRoutes({
        issuer: createTokenIssuer({
          accounts,
          tokenKey,
          throttle,
          knownRequesters: knownClients,
          uses,
          requireFresh,
        }),
        credentialPrefixes: config.credentialPrefixes,
        formatTime,
        metrics,
        proxyHops: config.proxyHops,
      }),
      fileContentRoutes({
        lookup: images,
        store,
        getNetwork: (request) => toNetwork(clientAddress(request, config.proxyHops)),
      }),
      referenceRoutes({ credentialPrefix: config.credentialPrefixes[0]! }),
      inboundRoutes({
        routes,
        onReceipt: createReceiptSink(createQueueSender(broker.publisher, topology), metrics),
        onReply: createReplySink({
          publisher: broker.publisher,
          topology,
          trust: policy,
          openBlindIndex,
          database,
          metrics,
          cell: config.cell,
          readKeyword,
        }),
        metrics,
        log,
      }),
    ],
    authenticated: [
      withScope('send', withRateLimit('send', limits, idempotent(idempotency, sends), countDestinations)),
      withScope('send', withRateLimit('send', limits, cancelRoutes({ database }))),
      withScope('files', withRateLimit('file', limits, files)),
      withScope('send', withRateLimit('form', limits, formEndpoints)),
      withScope('send', withRateLimit('form', limits, batches)),
      withScope('send', withRateLimit('form', limits, suppressions)),
      withScope('send', withRateLimit('form', limits, conversions)),
      withScope(
        'report',
        withRateLimit('report', limits, reportRoutes({ database, waiters: reportWaiters, formatTime })),
      ),
      withScope(
        'usage',
        withRateLimit('report', limits, usageRoutes({ database: databases.reads, timeZone })),
      ),
      withScope('report', withRateLimit('report', limits, timelines)),
      withScope(
        'report',
        withRateLimit('report', limits, messageList, () => searchCost),
      ),
      withScope(
        'replies',
        withRateLimit('report', limits, replyRoutes({ database, waiters: replyWaiters, formatTime })),
      ),
      withScope('webhooks', withRateLimit('report', limits, webhooks)),
    ],
  }
}
