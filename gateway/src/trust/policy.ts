/**
 * The one place that decides whether a message may be sent: accept asks for every checked draft, scheduling for every
 * choice of a route, dispatch just before every claim. It reads memory only. Called by accept, dry runs, the router and
 * `RouteRunner`.
 */
import { originCidOf } from '../channels/content.ts'
import type { RouteJob } from '../jobs/jobs.ts'
import { clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { RouteRequest } from '../routes/choose.ts'
import type { RouteShare } from '../routes/shares.ts'
import { createTrustMirror, viewOf, type TrustState } from './mirror.ts'
import { defaultOriginOf, isDomestic } from './origin/origin.ts'
import type { TrustSettings } from './settings.ts'
import type { DraftSubject, Objection, Topic } from './topic.ts'
import { createTopics } from './topics.ts'

export interface Policy {
  /** Adds the issues of the draft: a send throws the first, a dry run returns all. */
  readonly judgeDraft: (accountId: number, subject: DraftSubject, now?: number) => void
  /** Null: it may be submitted now. */
  readonly judgeSubmission: (job: RouteJob, route: RouteShare, now?: number) => Objection | null
  /** Whether the route may be chosen for the message. */
  readonly mayUse: (request: RouteRequest, route: RouteShare) => boolean
  /** The code of the operator that first accepted the message, for the carrier. */
  readonly originOf: (job: RouteJob) => string | undefined
}

export interface PolicyContext extends TrustSettings {
  /** Throws while nothing has been read. */
  readonly state: () => TrustState
  readonly topics: readonly Topic[]
}

export function createPolicy({ state, topics, ...settings }: PolicyContext): Policy {
  const drafts = topics.filter(({ judgeDraft }) => judgeDraft !== undefined)
  const submissions = topics.filter(({ judgeSubmission }) => judgeSubmission !== undefined)
  const routing = topics.filter(({ mayUse }) => mayUse !== undefined)
  return {
    judgeDraft(accountId, subject, now = clock.now()) {
      const view = viewOf(state(), accountId, now)
      for (const topic of drafts) topic.judgeDraft!(view, subject)
    },
    judgeSubmission(job, route, now = clock.now()) {
      const view = viewOf(state(), job.accountId, now)
      for (const topic of submissions) {
        const objection = topic.judgeSubmission!(view, job, route)
        if (objection !== null) return objection
      }
      return null
    },
    mayUse(request, route) {
      const view = viewOf(state(), request.accountId, 0)
      return routing.every((topic) => topic.mayUse!(view, request, route))
    },
    originOf(job) {
      const given = originCidOf(job.content)
      if (given !== undefined || !isDomestic(job.content.channel)) return given
      return defaultOriginOf(viewOf(state(), job.accountId, 0).account, settings)
    },
  }
}

export interface Trust extends Policy {
  readonly mirror: ReturnType<typeof createTrustMirror>
}

export function createTrust(database: Database, settings: TrustSettings, log: Log): Trust {
  const topics = createTopics(settings)
  const mirror = createTrustMirror(database, topics, log)
  return { ...createPolicy({ ...settings, topics, state: () => mirror.value }), mirror }
}
