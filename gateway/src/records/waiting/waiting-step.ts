/** A step that waits to be released to its route: how long it waits and why. */
import type { Lane } from '../../channels/lane.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'

/**
 * `owed`: the process that started the step is about to release it, or has read no route yet that serves it. `backlog`:
 * behind its account's fair share. `scheduled`: until the time the client gave. `retry`: until the carrier is tried again.
 * `moved`: its route cannot accept it and another one is chosen. `rule`: until a rule of trust allows it.
 */
export type WaitReason = 'owed' | 'backlog' | 'scheduled' | 'retry' | 'moved' | 'rule'

/** As it is recorded with the attempt: `rule:<id>`, or the reason. */
export function whyHeld({ reason, rule }: { readonly reason: string; readonly rule: string | null }): string {
  return reason === 'rule' ? `rule:${rule ?? ''}` : reason
}

export interface HeldStep {
  readonly msgKey: string
  readonly step: number
  readonly try: number
  readonly accountId: number
  /** The share of the route that it waits for, which is the route when that has one owner. Empty while none is chosen. */
  readonly routeId: string
  /** Why that route, for the message's timeline. */
  readonly routeReason?: string
  readonly lane: Lane
  readonly parts: number
  readonly tries: number
  readonly releaseAt: Date
  readonly reason: WaitReason
  /** The rule of trust that holds it. */
  readonly rule?: string
  /** When it would be released, of a step that waits for an operator. */
  readonly resumeAt?: Date
  /** When the rule first held it, of a step that was released since; absent: now. */
  readonly since?: Date
}

/** When a step is due that waits for an operator. */
export const never = new Date('9999-01-01T00:00:00Z')

/** A waiting step with its job; `job` is null when there is nothing to release. */
export interface WaitingStep extends StepKey {
  /** Not released before this time. A changed time means that the step was held again. */
  readonly releaseAt: Date
  readonly accountId: number
  readonly parts: number
  readonly lane: Lane
  /** No other step follows in the flow. */
  readonly isLast: boolean
  /** Since when it waits, of a step that is owed. */
  readonly owedAt?: number
  readonly job: RouteJob | null
}
