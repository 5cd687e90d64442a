/** The endpoints of the API role, with their limits: those open to everyone and those behind a token. */
import type { FastifyRequest } from 'fastify'
import type { CredentialUses } from '../accounts/credential-uses.ts'
import type { AccountDirectory } from '../accounts/directory.ts'
import { openFingerprints } from '../api/idempotency/fingerprint.ts'
import { idempotent, reservedKey } from '../api/idempotency/http.ts'
import type { MemoryWatch } from '../api/idempotency/memory.ts'
import { createIdempotencyStore } from '../api/idempotency/store.ts'
import { limited, type LimitOptions } from '../api/limits/http.ts'
import { limitWebhookUse } from '../api/limits/webhook-use.ts'
import { referenceRoutes } from '../api/reference/http.ts'
import { scoped } from '../api/server/scoped.ts'
import type { createServer } from '../api/server/server.ts'
import { clientAddress, toNetwork } from '../api/tokens/address.ts'
import { tokenRoutes } from '../api/tokens/http.ts'
import { createTokenIssuer } from '../api/tokens/issue.ts'
import { createTokenThrottle, type Requester } from '../api/tokens/throttle.ts'
import type { TokenKey } from '../api/tokens/token.ts'
import { createMsgKey } from '../contract/msg-key.ts'
import { createTimeFormat } from '../contract/times.ts'
import { fileContentRoutes } from '../files/content.ts'
import { storeFromConfig } from '../files/from-config.ts'
import { fileRoutes } from '../files/http.ts'
import { createKeyMac } from '../files/key-mac.ts'
import { createFileLookup } from '../files/lookup.ts'
import { createPublicLookup } from '../files/public-lookup.ts'
import { formRoutes } from '../forms/http.ts'
import { createFormLookup } from '../forms/lookup.ts'
import { createQueueSender } from '../jobs/send-to-settle.ts'
import type { Admission } from '../pipeline/admission/admission.ts'
import { createAccept } from '../pipeline/accept/accept.ts'
import { createCheckSteps } from '../pipeline/accept/check-steps.ts'
import { createHasRoute } from '../pipeline/accept/dry-run.ts'
import { checkFlow } from '../pipeline/accept/flow.ts'
import { countDestinations, sendRoutes } from '../pipeline/accept/http.ts'
import { parseSendAt } from '../pipeline/accept/query.ts'
import { normalizeSdkBody } from '../pipeline/accept/sdk-compat.ts'
import { createSend } from '../pipeline/accept/send.ts'
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
import type { RouteTable } from '../routes/table.ts'
import { conversionRoutes } from '../trust/abuse/conversion-http.ts'
import type { DraftCounting } from '../trust/abuse/draft-counting.ts'
import type { Policy, Trust } from '../trust/policy.ts'
import { createKeywordReader } from '../trust/suppression/choice.ts'
import { suppressionRoutes } from '../trust/suppression/http.ts'
import { guardFromConfig } from '../webhooks/from-config.ts'
import { webhookRoutes } from '../webhooks/http.ts'
import type { ApiDatabases } from './api-databases.ts'
import type { Runtime } from './runtime.ts'
import { clock } from '../platform/clock.ts'
import type { BlindIndex } from '../platform/encryption/blind-index.ts'

/** Report requests that a search of messages counts as: it may take a connection for a fifth of a second. */
const searchCost = 10
/** What a send may take beside its publishing. */
const answerMs = 3_000

export interface EndpointServices {
  readonly accounts: AccountDirectory
  readonly routes: RouteTable
  readonly policy: Policy & DraftCounting & Pick<Trust, 'accountsOf' | 'holdersOf'>
  readonly tokenKey: TokenKey
  /** Who has logged in before. */
  readonly familiar: readonly Requester[]
  readonly uses: CredentialUses
  /** Throws when the copies of accounts are too old to decide. */
  readonly requireFresh: () => void
  readonly reportWaiters: FeedWaiters
  readonly replyWaiters: FeedWaiters
  readonly admission: Admission
  readonly limits: LimitOptions
  readonly gate: GateCounter
  readonly databases: Pick<ApiDatabases, 'reads' | 'searches' | 'images' | 'quotas' | 'suppression'>
}

/** Parts of the API that no setting changes, for tests. */
export interface ApiOptions {
  /** Replaces the admission of sends. */
  readonly admit?: Admission['admit']
  /** Returns the time that trust rules judge drafts by. Defaults to the clock. */
  readonly judgedAt?: () => number
  /** Time that a duplicate waits for the response to the first request with its Idempotency-Key. */
  readonly duplicateWaitMs?: number
  /** Replaces the measurement of the memory that Redis has left. */
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
    familiar,
    uses,
    reportWaiters,
    replyWaiters,
    admission,
    limits,
    gate,
    databases,
    requireFresh,
  } = services
  const { publicFileBase, stepTtlSeconds, timeZone } = config
  const store = await storeFromConfig(config)
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
      leaseMs: config.publishTimeoutMs + answerMs,
      maxBytes: config.idempotencyMegabytes * 1e6,
      memory: options.redisMemory,
    }),
    proposeKeys: (request: FastifyRequest) =>
      Array.from({ length: countDestinations(request) }, () =>
        createMsgKey(config.cell, new Date(Math.max(parseSendAt(request) ?? 0, clock.now()))),
      ),
    fingerprintOf: await openFingerprints(database, runtime.encryption),
    waitMs: options.duplicateWaitMs,
    log,
  }
  const judgeDraft: Policy['judgeDraft'] = (accountId, subject) =>
    policy.judgeDraft(accountId, subject, options.judgedAt?.())
  const checkSteps = createCheckSteps({ policy: { judgeDraft }, routes, files: lookup, publicFileBase })
  const sends = sendRoutes({
    send: createSend({ accept, admit: options.admit ?? admission.admit, checkSteps, counting: policy }),
    forms,
    hasRoute: createHasRoute(routes, policy.mayUse),
    stepTtlSeconds,
    checkSteps,
    previewDraft: policy.previewDraft,
    reservedKey,
  })
  const formEndpoints = formRoutes({
    database,
    checkFlow,
    normalize: (body) => normalizeSdkBody('form', body),
    formatTime,
    lookup: forms,
  })
  const files = fileRoutes({
    ...{ database, store, lookup, formatTime, publicFileBase, cell: config.cell, keyMac },
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
  const timelines = timelineRoutes({ database: databases.reads, cell: config.cell, formatTime })
  const messageList = messageListRoutes({
    database: databases.searches,
    formatTime,
    tokenSecret: config.tokenSecret,
  })
  const webhooks = webhookRoutes({
    ...{ database, guard: guardFromConfig(config), formatTime },
    requiresProof: config.webhookProof === 'yes',
    limitUse: limitWebhookUse(limits.limiter),
    cipher: runtime.encryption,
  })
  return {
    open: [
      tokenRoutes({
        issuer: createTokenIssuer({ accounts, tokenKey, throttle, familiar, uses, requireFresh }),
        credentialPrefixes: config.credentialPrefixes,
        formatTime,
        metrics,
        proxyHops: config.proxyHops,
      }),
      fileContentRoutes({
        ...{ lookup: images, store },
        networkOf: (request) => toNetwork(clientAddress(request, config.proxyHops)),
      }),
      referenceRoutes({ credentialPrefix: config.credentialPrefixes[0]! }),
      inboundRoutes({
        routes,
        onReceipt: createReceiptSink(createQueueSender(broker.publisher, topology), metrics),
        onReply: createReplySink({
          ...{ publisher: broker.publisher, topology, trust: policy, openBlindIndex },
          ...{ database, metrics, cell: config.cell },
          readKeyword,
        }),
        metrics,
        log,
      }),
    ],
    authenticated: [
      scoped('send', limited('send', limits, idempotent(idempotency, sends), countDestinations)),
      scoped('send', limited('send', limits, cancelRoutes({ database }))),
      scoped('files', limited('file', limits, files)),
      scoped('send', limited('form', limits, formEndpoints)),
      scoped('send', limited('form', limits, suppressions)),
      scoped('send', limited('form', limits, conversions)),
      scoped(
        'report',
        limited('report', limits, reportRoutes({ database, waiters: reportWaiters, formatTime })),
      ),
      scoped('usage', limited('report', limits, usageRoutes({ database: databases.reads, timeZone }))),
      scoped('report', limited('report', limits, timelines)),
      scoped(
        'report',
        limited('report', limits, messageList, () => searchCost),
      ),
      scoped(
        'replies',
        limited('report', limits, replyRoutes({ database, waiters: replyWaiters, formatTime })),
      ),
      scoped('webhooks', limited('report', limits, webhooks)),
    ],
  }
}
