/**
 * Decides whether a message can be sent, from data in memory. It checks every draft at accept, every choice
 * of a route, and every step when it is placed, released and claimed. `rule-groups.ts` has the order of the
 * rules.
 */
import { getOriginCid } from '../channels/content.ts'
import type { StepJob } from '../jobs/jobs.ts'
import { clock } from '../platform/time/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { BlindIndex } from '../platform/encryption/blind-index.ts'
import type { Encryption } from '../platform/encryption/encryption.ts'
import type { Limiter } from '../platform/limiter/limiter.ts'
import type { Log } from '../platform/logging/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { RouteRequest } from '../carriers/routes/choose.ts'
import type { RouteShare } from '../carriers/routes/shares.ts'
import type { RouteTable } from '../carriers/routes/table.ts'
import { createAbuse } from './abuse/abuse.ts'
import { createFindPeriodStart, Caps } from './abuse/caps.ts'
import { createCapStore } from './abuse/cap-store.ts'
import type { DraftCounting } from './abuse/draft-counting.ts'
import { Conversions } from './abuse/conversions.ts'
import { createTrustCache, getAccountContext, type TrustState } from './cache.ts'
import { getDefaultOrigin, isDomestic } from './origin/origin.ts'
import type { TrustSettings } from './settings.ts'
import type { RuleDecision, DraftSubject, AccountContext, RuleGroup } from './rule-group.ts'
import { createRuleGroups, RuleData } from './rule-groups.ts'
import type { SenderIndex } from './senders/sender-index.ts'
import { createStoppedBatches, type StoppedBatches } from './batches/stopped-batches.ts'
import { createBlockedAccounts, type BlockedAccounts } from './blocked-accounts/blocked-accounts.ts'
import { computeRecheckTime, deferStaleDenial, type ReadTimes } from './stale-denials.ts'

export interface Policy {
  /** Adds the issues of the draft: a send throws the first, a dry run returns all. */
  readonly checkDraft: (accountId: number, subject: DraftSubject, now?: number) => void
  /** Returns null if the step can be submitted now. */
  readonly checkSubmission: (job: StepJob, route: RouteShare, now?: number) => RuleDecision | null
  /** Reports whether the route can be chosen for the message. */
  readonly isRouteAllowed: (request: RouteRequest, route: RouteShare) => boolean
  /**
   * Returns when to place a step again that has no route, or undefined if the data is newer than its message
   * or the step has waited too long. `heldAt` is when it began to wait.
   */
  readonly getReplacementTime: (job: StepJob, heldAt?: number, now?: number) => number | undefined
  /** Returns the code of the operator that first accepted the message. */
  readonly getOrigin: (job: StepJob) => string | undefined
}

export interface PolicyContext extends TrustSettings {
  /** Throws before the first load. */
  readonly state: () => TrustState
  readonly groups: readonly RuleGroup[]
  /**
   * Milliseconds since rules, their data and routes were last compared with the database. If absent, they
   * never change.
   */
  readonly ageMs?: () => number
  /** Milliseconds for which PostgreSQL has responded without interruption. */
  readonly respondingMs?: (() => number) | undefined
}

/** For what must not depend on the time. */
const anyTime = 0

export function createPolicy(context: PolicyContext): Policy {
  const { state, groups, ageMs, respondingMs, ...settings } = context
  const timesAt = (now: number): ReadTimes => ({
    readAt: ageMs === undefined ? Infinity : now - ageMs(),
    now,
    respondsSince: respondingMs && now - respondingMs(),
  })
  return {
    checkDraft(accountId, subject, now = clock.now()) {
      const accountContext = getAccountContext(state(), accountId, now)
      for (const group of groups) group.checkDraft?.(accountContext, subject)
    },
    checkSubmission(job, route, now = clock.now()) {
      const accountContext = getAccountContext(state(), job.accountId, now)
      for (const group of groups) {
        const denial = group.checkSubmission?.(accountContext, job, route) ?? null
        if (denial !== null) return deferStaleDenial(denial, job, timesAt(now))
      }
      return null
    },
    getReplacementTime: (job, heldAt, now = clock.now()) =>
      computeRecheckTime(job, { ...timesAt(now), heldAt }),
    isRouteAllowed(request, route) {
      const accountContext = getAccountContext(state(), request.accountId, anyTime)
      return groups.every((group) => group.isRouteAllowed?.(accountContext, request, route) ?? true)
    },
    getOrigin(job) {
      const given = getOriginCid(job.content)
      if (given !== undefined || !isDomestic(job.content.channel)) return given
      return getDefaultOrigin(getAccountContext(state(), job.accountId, anyTime).account, settings)
    },
  }
}

export interface Trust extends Policy, DraftCounting, Pick<BlockedAccounts, 'getBlock' | 'list'> {
  readonly cache: ReturnType<typeof createTrustCache>
  readonly findSenderAccounts: SenderIndex['findSenderAccounts']
  readonly findHolders: SenderIndex['findHolders']
  readonly listStoppedBatches: StoppedBatches['list']
  /** Stops the refreshes, and gives back the reserved part of caps. */
  readonly stop: () => Promise<void>
}

export interface TrustOptions {
  /** The connection pool for counting caps and codes. */
  readonly capsDatabase?: Database
  /** Counts velocity. Without it the process must not count drafts. */
  readonly limiter?: Limiter
  /** The routes by which steps are placed. */
  readonly routes?: Pick<RouteTable, 'ageMs'>
  /** Milliseconds for which PostgreSQL has responded without interruption. */
  readonly respondingMs?: () => number
}

export function createTrust(
  database: Database,
  settings: TrustSettings,
  log: Log,
  metrics: Pick<Metrics, 'trustDenials'>,
  encryption: Pick<Encryption, 'blindIndex'>,
  { capsDatabase = database, limiter, routes, respondingMs }: TrustOptions = {},
): Trust {
  const blockedAccounts = createBlockedAccounts()
  const stoppedBatches = createStoppedBatches()
  const caps = new Caps({
    store: createCapStore(capsDatabase),
    findPeriodStart: createFindPeriodStart(settings.timeZone ?? 'UTC'),
    log,
  })
  const conversions = new Conversions({ ...settings, database: capsDatabase, log })
  const openBlindIndex = (): Promise<BlindIndex> => encryption.blindIndex(database)
  const velocity = limiter && { limiter, openBlindIndex }
  const abuse = createAbuse({ caps, conversions, settings, ...(velocity && { velocity }) })
  const data = new RuleData()
  const groups = createRuleGroups({ settings, blockedAccounts, stoppedBatches, abuse, data, openBlindIndex })
  const cache = createTrustCache(database, groups, log)
  const ageMs = (): number => Math.max(cache.ageMs, routes?.ageMs ?? 0)
  const policy = createPolicy({ ...settings, groups, state: () => cache.value, ageMs, respondingMs })
  const { getBlock, list } = blockedAccounts
  const getContext = (accountId: number): AccountContext =>
    getAccountContext(cache.value, accountId, clock.now())
  return {
    ...policy,
    getBlock,
    list,
    listStoppedBatches: stoppedBatches.list,
    cache,
    findSenderAccounts: (kind, value) => data.senders.findSenderAccounts(kind, value),
    findHolders: (kind, value, now, at) => data.senders.findHolders(kind, value, now, at),
    checkSubmission(job, route, now = clock.now()) {
      const denial = policy.checkSubmission(job, route, now)
      if (denial !== null) metrics.trustDenials.inc({ rule: denial.rule, verdict: denial.verdict })
      return denial
    },
    countDraft: (accountId, draft, hold) => abuse.countDraft(getContext(accountId), draft, hold),
    findReachedLimits: (accountId, draft, hold) =>
      abuse.findReachedLimits(getContext(accountId), draft, hold),
    findReachedCap: (accountId, draft, messages, at) =>
      abuse.findReachedCap(getContext(accountId), draft, messages, at),
    async stop() {
      cache.stop()
      await Promise.all([caps.stop(), conversions.stop()])
    },
  }
}
