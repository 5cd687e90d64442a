/**
 * The one place that decides whether a message may be sent, from data in memory. It checks every draft at accept, every choice of a
 * route, and every step when it is placed, released and claimed. `rule-groups.ts` has the order of the rules.
 */
import { originCidOf } from '../channels/content.ts'
import type { StepJob } from '../jobs/jobs.ts'
import { clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { BlindIndex } from '../platform/encryption/blind-index.ts'
import type { Encryption } from '../platform/encryption/encryption.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { RouteRequest } from '../routes/choose.ts'
import type { RouteShare } from '../routes/shares.ts'
import type { RouteTable } from '../routes/table.ts'
import { createAbuse, type AbuseOptions } from './abuse/abuse.ts'
import { createFindPeriodStart, Caps } from './abuse/caps.ts'
import { createCapStore } from './abuse/cap-store.ts'
import type { DraftCounting } from './abuse/draft-counting.ts'
import { Conversions } from './abuse/conversions.ts'
import { createTrustCache, toJudgedAccount, type TrustState } from './cache.ts'
import { getDefaultOrigin, isDomestic } from './origin/origin.ts'
import type { TrustSettings } from './settings.ts'
import type { Denial, DraftSubject, JudgedAccount, RuleGroup } from './rule-group.ts'
import { createRuleGroups, RuleData } from './rule-groups.ts'
import type { SenderIndex } from './senders/sender-index.ts'
import { createStops, type Stops } from './stops/stops.ts'
import { readAgainAt, untilRead, type ReadTimes } from './until-read.ts'

export interface Policy {
  /** Adds the issues of the draft: a send throws the first, a dry run returns all. */
  readonly judgeDraft: (accountId: number, subject: DraftSubject, now?: number) => void
  /** Returns null if the step may be submitted now. */
  readonly judgeSubmission: (job: StepJob, route: RouteShare, now?: number) => Denial | null
  /** Reports whether the route may be chosen for the message. */
  readonly mayUse: (request: RouteRequest, route: RouteShare) => boolean
  /**
   * Returns when to place a step again that no route serves, or undefined if the data is newer than its message or the step has
   * waited too long. `heldAt` is when it began to wait.
   */
  readonly placedAgainAt: (job: StepJob, heldAt?: number, now?: number) => number | undefined
  /** Returns the code of the operator that first accepted the message. */
  readonly originOf: (job: StepJob) => string | undefined
}

export interface PolicyContext extends TrustSettings {
  /** Throws before the first load. */
  readonly state: () => TrustState
  readonly groups: readonly RuleGroup[]
  /** Time since rules, their data and routes were last compared with the database. Without it they never change. */
  readonly ageMs?: () => number
  /** How long PostgreSQL has answered without a break. */
  readonly answeringMs?: (() => number) | undefined
}

export function createPolicy(context: PolicyContext): Policy {
  const { state, groups, ageMs, answeringMs, ...settings } = context
  const timesAt = (now: number): ReadTimes => ({
    readAt: ageMs === undefined ? Infinity : now - ageMs(),
    now,
    answersSince: answeringMs && now - answeringMs(),
  })
  return {
    judgeDraft(accountId, subject, now = clock.now()) {
      const judged = toJudgedAccount(state(), accountId, now)
      for (const group of groups) group.judgeDraft?.(judged, subject)
    },
    judgeSubmission(job, route, now = clock.now()) {
      const judged = toJudgedAccount(state(), job.accountId, now)
      for (const group of groups) {
        const denial = group.judgeSubmission?.(judged, job, route) ?? null
        if (denial !== null) return untilRead(denial, job, timesAt(now))
      }
      return null
    },
    placedAgainAt: (job, heldAt, now = clock.now()) => readAgainAt(job, { ...timesAt(now), heldAt }),
    mayUse(request, route) {
      const judged = toJudgedAccount(state(), request.accountId, 0)
      return groups.every((group) => group.mayUse?.(judged, request, route) ?? true)
    },
    originOf(job) {
      const given = originCidOf(job.content)
      if (given !== undefined || !isDomestic(job.content.channel)) return given
      return getDefaultOrigin(toJudgedAccount(state(), job.accountId, 0).account, settings)
    },
  }
}

export interface Trust extends Policy, DraftCounting, Pick<Stops, 'stopOf' | 'stopped'> {
  readonly cache: ReturnType<typeof createTrustCache>
  readonly accountsOf: SenderIndex['accountsOf']
  readonly holdersOf: SenderIndex['holdersOf']
  /** Stops the refreshes, and returns the reserved part of caps. */
  readonly stop: () => Promise<void>
}

export interface TrustOptions {
  /** The pool for counting caps and codes. */
  readonly capsDatabase?: Database
  /** Only in processes that accept messages. */
  readonly velocity?: AbuseOptions['velocity']
  /** The routes that steps are placed by. */
  readonly routes?: Pick<RouteTable, 'ageMs'>
  /** How long PostgreSQL has answered without a break. */
  readonly answeringMs?: () => number
}

export function createTrust(
  database: Database,
  settings: TrustSettings,
  log: Log,
  metrics: Pick<Metrics, 'trustDenials'>,
  encryption: Pick<Encryption, 'blindIndex'>,
  { capsDatabase = database, velocity, routes, answeringMs }: TrustOptions = {},
): Trust {
  const stops = createStops()
  const caps = new Caps({
    store: createCapStore(capsDatabase),
    findPeriodStart: createFindPeriodStart(settings.timeZone ?? 'UTC'),
    log,
  })
  const conversions = new Conversions({ ...settings, database: capsDatabase, log })
  const abuse = createAbuse({ caps, conversions, settings, ...(velocity && { velocity }) })
  const data = new RuleData()
  const openBlindIndex = (): Promise<BlindIndex> => encryption.blindIndex(database)
  const groups = createRuleGroups({ settings, stops, abuse, data, openBlindIndex })
  const cache = createTrustCache(database, groups, log)
  const ageMs = (): number => Math.max(cache.ageMs, routes?.ageMs ?? 0)
  const policy = createPolicy({ ...settings, groups, state: () => cache.value, ageMs, answeringMs })
  const { stopOf, stopped } = stops
  const judged = (accountId: number): JudgedAccount => toJudgedAccount(cache.value, accountId, clock.now())
  return {
    ...policy,
    stopOf,
    stopped,
    cache,
    accountsOf: (kind, value) => data.senders.accountsOf(kind, value),
    holdersOf: (kind, value, now, at) => data.senders.holdersOf(kind, value, now, at),
    judgeSubmission(job, route, now = clock.now()) {
      const denial = policy.judgeSubmission(job, route, now)
      if (denial !== null) metrics.trustDenials.inc({ rule: denial.rule, verdict: denial.verdict })
      return denial
    },
    takeDraft: (accountId, draft, hold) => abuse.takeDraft(judged(accountId), draft, hold),
    previewDraft: (accountId, draft, hold) => abuse.previewDraft(judged(accountId), draft, hold),
    async stop() {
      cache.stop()
      await Promise.all([caps.stop(), conversions.stop()])
    },
  }
}
