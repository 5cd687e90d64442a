/** A row of the table `waiting`: a step that waits to be released, why, and until when. */
import type { Lane } from '../../channels/lane.ts'
import type { StepJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'

/**
 * `owed`: the process that started the step is about to release it, or has not yet read a route for it.
 * `backlog`: behind its account's fair share. `scheduled`: until the time that the client set. `retry`: until
 * the carrier is tried again. `moved`: its route cannot accept it and another one is chosen. `rule`: until a
 * trust rule allows it.
 */
export type WaitReason = 'owed' | 'backlog' | 'scheduled' | 'retry' | 'moved' | 'rule'

/** Returns the reason as it is recorded with the attempt; `rule:<id>` for a rule. */
export function holdReason({
  reason,
  rule,
}: {
  readonly reason: string
  readonly rule: string | null
}): string {
  return reason === 'rule' ? `rule:${rule ?? ''}` : reason
}

export interface HeldStep {
  readonly msgKey: string
  readonly step: number
  readonly try: number
  readonly accountId: number
  /** The share of the route that it waits for; empty if no route is chosen yet. */
  readonly routeId: string
  /** Why that route was chosen, for the message's timeline. */
  readonly routeReason?: string | undefined
  readonly lane: Lane
  readonly parts: number
  readonly tries: number
  readonly releaseAt: Date
  readonly reason: WaitReason
  readonly rule?: string | undefined
  /** Release time of a suspended step once it is resumed. */
  readonly resumeAt?: Date | undefined
  /** When the rule first held a step that was released in between. Defaults to now. */
  readonly since?: Date | undefined
}

/** The release time of a suspended step. */
export const neverReleaseAt = new Date('9999-01-01T00:00:00Z')
export const neverSql = `timestamptz '9999-01-01 00:00:00+00'`

/**
 * SQL condition on a row `w` of `waiting`: it waits for the time that its client set, and can be cancelled. A
 * step that an operator holds keeps the time of its release, which can be that of a retry. A step that was
 * submitted before is not scheduled, because the carrier may have accepted some of its parts.
 */
export const scheduledSql = `(w.reason = 'scheduled' or coalesce(w.resume_at > now(), false)) and w.tries = 0
          and not exists (select from attempts a where a.msg_key = w.msg_key and a.step = w.step)`

/**
 * Rules that hold a step until a time. Others hold it until newer data is read (`trust/stale-denials.ts`),
 * until its batch is resumed, or for an operator.
 */
const timedRules = ['account-stopped', 'advertisement-quiet-hours', 'advertisement-country-hours']

/** SQL condition on a row `w` of `waiting`: the client or a rule forbids to send it before a time. */
export const timedSql = `(w.reason = 'scheduled'
          or (w.reason = 'rule' and w.rule in (${timedRules.map((rule) => `'${rule}'`).join(', ')})))`

/** A waiting step with its job; `job` is null if there is nothing to release. */
export interface WaitingStep extends StepKey {
  /** The earliest time of its release. A changed time means that the step was held again. */
  readonly releaseAt: Date
  readonly accountId: number
  readonly parts: number
  readonly lane: Lane
  /** Whether no other step follows in the flow. */
  readonly isLast: boolean
  /** When an `owed` step began to wait. */
  readonly owedAt?: number | undefined
  readonly job: StepJob | null
}
