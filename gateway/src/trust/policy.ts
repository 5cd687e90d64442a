/**
 * The one place that decides whether a message may be sent: accept asks for every checked draft, scheduling for every
 * choice of a route and before every release, dispatch when a step arrives and just before every claim. It reads memory
 * only. Called by accept, dry runs, the router, `place`, the releaser of a backlog and `RouteRunner`.
 */
import { originCidOf } from '../channels/content.ts'
import type { Problem } from '../contract/problem.ts'
import type { RouteJob } from '../jobs/jobs.ts'
import { clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Encryption } from '../platform/encryption/encryption.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { RouteRequest } from '../routes/choose.ts'
import type { RouteShare } from '../routes/shares.ts'
import type { RouteTable } from '../routes/table.ts'
import { createAbuse, type AbuseOptions, type Counted, type CountedDraft, type Hold } from './abuse/abuse.ts'
import { createBeginOf } from './abuse/cap-periods.ts'
import { createCapStore } from './abuse/cap-store.ts'
import { Caps } from './abuse/caps.ts'
import { Conversions } from './abuse/conversions.ts'
import { createTrustCache, judgedAccountOf, type TrustState } from './cache.ts'
import { getDefaultOrigin, isDomestic } from './origin/origin.ts'
import type { TrustSettings } from './settings.ts'
import type { DraftSubject, Denial, JudgedAccount, RuleGroup } from './rule-group.ts'
import { createRuleGroups, RuleData } from './rule-groups.ts'
import type { SenderIndex } from './senders/sender-index.ts'
import { createStops, type Stops } from './stops/stops.ts'
import { readAgainAt, untilRead, type ReadTimes } from './until-read.ts'

export interface Policy {
  /** Adds the issues of the draft: a send throws the first, a dry run returns all. */
  readonly judgeDraft: (accountId: number, subject: DraftSubject, now?: number) => void
  /** Null: it may be submitted now. */
  readonly judgeSubmission: (job: RouteJob, route: RouteShare, now?: number) => Denial | null
  /** Whether the route may be chosen for the message. */
  readonly mayUse: (request: RouteRequest, route: RouteShare) => boolean
  /**
   * When a step that no route serves is placed again; undefined: what it was placed by is newer than its message, or it has waited
   * for too long. `heldAt`: since when it waits for that.
   */
  readonly placedAgainAt: (job: RouteJob, heldAt?: number, now?: number) => number | undefined
  /** The code of the operator that first accepted the message, for the carrier. */
  readonly originOf: (job: RouteJob) => string | undefined
}

export interface DraftCounting {
  /** Counts a draft that is about to be accepted, for velocity and caps. */
  readonly takeDraft: (accountId: number, draft: CountedDraft, hold: Hold) => Promise<Counted>
  /** Returns the velocity limit and the cap that the draft would exceed. Counts nothing. */
  readonly previewDraft: (accountId: number, draft: CountedDraft, hold: Hold) => Promise<Problem[]>
}

export interface PolicyContext extends TrustSettings {
  /** Throws while nothing has been read. */
  readonly state: () => TrustState
  readonly groups: readonly RuleGroup[]
  /** Time since the rules, their data and the routes were last compared with the database; absent: they do not change. */
  readonly ageMs?: () => number
  /** For how long PostgreSQL has answered without a break; absent: not known. */
  readonly answeringMs?: () => number
}

export function createPolicy(context: PolicyContext): Policy {
  const { state, groups, ageMs, answeringMs, ...settings } = context
  const drafts = groups.filter(({ judgeDraft }) => judgeDraft !== undefined)
  const submissions = groups.filter(({ judgeSubmission }) => judgeSubmission !== undefined)
  const routing = groups.filter(({ mayUse }) => mayUse !== undefined)
  const timesAt = (now: number): ReadTimes => ({
    readAt: ageMs === undefined ? Infinity : now - ageMs(),
    now,
    answersSince: answeringMs && now - answeringMs(),
  })
  return {
    judgeDraft(accountId, subject, now = clock.now()) {
      const judged = judgedAccountOf(state(), accountId, now)
      for (const group of drafts) group.judgeDraft!(judged, subject)
    },
    judgeSubmission(job, route, now = clock.now()) {
      const judged = judgedAccountOf(state(), job.accountId, now)
      for (const group of submissions) {
        const denial = group.judgeSubmission!(judged, job, route)
        if (denial !== null) return untilRead(denial, job, timesAt(now))
      }
      return null
    },
    placedAgainAt: (job, heldAt, now = clock.now()) => readAgainAt(job, { ...timesAt(now), heldAt }),
    mayUse(request, route) {
      const judged = judgedAccountOf(state(), request.accountId, 0)
      return routing.every((group) => group.mayUse!(judged, request, route))
    },
    originOf(job) {
      const given = originCidOf(job.content)
      if (given !== undefined || !isDomestic(job.content.channel)) return given
      return getDefaultOrigin(judgedAccountOf(state(), job.accountId, 0).account, settings)
    },
  }
}

export interface Trust extends Policy, DraftCounting, Pick<Stops, 'stopOf' | 'stopped'> {
  readonly cache: ReturnType<typeof createTrustCache>
  /** Accounts that a sender is registered for. */
  readonly accountsOf: SenderIndex['accountsOf']
  /** Accounts that may use it. */
  readonly holdersOf: SenderIndex['holdersOf']
  /** Stops the refreshes, and gives back what is reserved of caps. */
  readonly stop: () => Promise<void>
}

export interface TrustOptions {
  /** The pool in which caps and codes are counted. */
  readonly capsDatabase?: Database
  /** Absent in processes that accept no messages. */
  readonly velocity?: AbuseOptions['velocity']
  /** The routes that steps are placed by. */
  readonly routes?: Pick<RouteTable, 'ageMs'>
  /** For how long PostgreSQL has answered without a break. */
  readonly answeringMs?: () => number
}

/** `metrics` counts what is stopped after it was accepted. `encryption` has the blind index of suppressed recipients. */
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
    beginOf: createBeginOf(settings.timeZone ?? 'UTC'),
    log,
  })
  const conversions = new Conversions({ ...settings, database: capsDatabase, log })
  const abuse = createAbuse({ caps, conversions, settings, ...(velocity && { velocity }) })
  const data = new RuleData()
  const rules = createRuleGroups(settings, () => encryption.blindIndex(database), data)
  const groups = [stops, ...rules, abuse]
  const cache = createTrustCache(database, groups, log)
  const ageMs = (): number => Math.max(cache.ageMs, routes?.ageMs ?? 0)
  const policy = createPolicy({
    ...{ ...settings, groups, state: () => cache.value, ageMs },
    ...(answeringMs && { answeringMs }),
  })
  const { stopOf, stopped } = stops
  const judged = (accountId: number): JudgedAccount => judgedAccountOf(cache.value, accountId, clock.now())
  return {
    ...policy,
    ...{ stopOf, stopped, cache },
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
