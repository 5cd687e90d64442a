/**
 * A group checks some rules of `rules.ts` with data in memory, without a statement per message. To add one,
 * see docs/contributing/add-a-rule.md.
 */
import type { Cause } from '../channels/cause.ts'
import type { Draft, Step } from '../channels/channel.ts'
import type { Issues } from '../channels/issues.ts'
import type { StepJob } from '../jobs/jobs.ts'
import type { Queryable } from '../platform/database/database.ts'
import type { RouteRequest } from '../carriers/routes/choose.ts'
import type { RouteShare } from '../carriers/routes/shares.ts'
import type { AccountTrust } from './accounts.ts'
import type { RuleId } from './rules.ts'

/** The account and time of a check. */
export interface AccountContext {
  readonly accountId: number
  readonly account: AccountTrust
  /** The enabled rules. */
  readonly rules: ReadonlySet<RuleId>
  /** Milliseconds of `platform/time/clock.ts`. */
  readonly now: number
}

/** A draft, which can be invalid in a dry run, its issues, and the paths of its fields in the request. */
export interface DraftSubject {
  readonly draft: Pick<Draft, 'to' | 'steps' | 'sendAt'>
  /** Returns the path before the fields of a step. */
  readonly getPath: (step: Step, index: number) => string
  readonly issues: Issues
  /** Marks the draft as suspicious, for an operator's decision. */
  readonly hold?: (rule: RuleId) => void
  /**
   * Receives the effects that rules will have on an accepted draft, as far as they are known. Set in a dry
   * run.
   */
  readonly note?: (effect: RuleEffect) => void
}

/**
 * `held`: the message waits for an operator's decision. `delayed`: the step waits until a time. `skipped`: it ends without a
 * submission, and the next step is tried immediately.
 */
export interface RuleEffect {
  readonly rule: RuleId
  readonly effect: 'held' | 'delayed' | 'skipped'
  /** Index in the flow; `null` stands for the whole message. */
  readonly step: number | null
  /** When a delayed step is sent, in milliseconds since 1970. */
  readonly notBefore: number | null
  /** A text for the client. */
  readonly reason: string
}

/** The reason why a submission is stopped. */
export type RuleDecision =
  /** The step is submitted later, unless its deadline passes. */
  | { readonly verdict: 'hold'; readonly rule: RuleId; readonly until: number }
  /** The step ends without a submission. `text` is for the operator and contains no number and no content. */
  | { readonly verdict: 'fail'; readonly rule: RuleId; readonly cause: Cause; readonly text: string }

export interface RuleGroup {
  /** The topic in `trust_versions`. */
  readonly name: string
  /**
   * Reads the tables of the group into memory, at the start and after every change. Replaces its data only
   * after everything is read. `version` is that of `trust_versions`, which a failover can decrease; without
   * it everything is read again.
   */
  readonly load?: (database: Queryable, version?: string) => Promise<void>
  /** Adds an issue for every rule that the draft breaks. */
  readonly checkDraft?: (account: AccountContext, subject: DraftSubject) => void
  /** Checks a step when it is placed, released and claimed, so several times for one step. */
  readonly checkSubmission?: (account: AccountContext, job: StepJob, route: RouteShare) => RuleDecision | null
  /** Reports whether a route can be chosen. Must not depend on the time. */
  readonly isRouteAllowed?: (account: AccountContext, request: RouteRequest, route: RouteShare) => boolean
}

/** Caches a property of a route: reading its options is slow, and a changed route is a new object. */
export function cacheByRoute(
  read: (protocol: RouteShare['protocol'], options: RouteShare['options']) => boolean,
): (route: RouteShare) => boolean {
  const cached = new WeakMap<RouteShare, boolean>()
  return (route) => {
    let value = cached.get(route)
    if (value === undefined) cached.set(route, (value = read(route.protocol, route.options)))
    return value
  }
}
