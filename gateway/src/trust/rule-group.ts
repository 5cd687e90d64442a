/**
 * A group of rules evaluates some rules of `rules.ts` over data in memory: pure functions, no statement per message. To add one,
 * see docs/add-a-rule.md.
 */
import type { Cause } from '../channels/cause.ts'
import type { Draft, Step } from '../channels/channel.ts'
import type { Issues } from '../channels/issues.ts'
import type { RouteJob } from '../jobs/jobs.ts'
import type { Queryable } from '../platform/database.ts'
import type { RouteRequest } from '../routes/choose.ts'
import type { RouteShare } from '../routes/shares.ts'
import type { AccountTrust } from './accounts.ts'
import type { RuleId } from './rules.ts'

/** What every judgement may read, besides the data of its group. */
export interface JudgedAccount {
  readonly accountId: number
  readonly account: AccountTrust
  /** The rules that are switched on. */
  readonly rules: ReadonlySet<RuleId>
  /** Milliseconds, of `platform/clock.ts`. */
  readonly now: number
}

/** A checked draft, its issues, and where its fields are in the request. */
export interface DraftSubject {
  readonly draft: Pick<Draft, 'to' | 'steps' | 'sendAt'>
  /** The path before the fields of a step. */
  readonly placeOf: (step: Step, index: number) => string
  readonly issues: Issues
  /** The rule finds it suspicious, and an operator decides. */
  readonly hold?: (rule: RuleId) => void
  /** Present in a dry run: what rules will do with an accepted draft, as far as it is known now. */
  readonly note?: (effect: RuleEffect) => void
}

/** `delayed`: the step waits. `skipped`: it ends without a submission, and the next step is tried at once. */
export interface RuleEffect {
  readonly rule: RuleId
  readonly effect: 'held' | 'delayed' | 'skipped'
  /** Index in the flow; null: of the whole message. */
  readonly step: number | null
  /** Milliseconds, of a delayed step. */
  readonly notBefore: number | null
  /** In words for a client. */
  readonly reason: string
}

/** What stops a submission. Null where nothing does. */
export type Denial =
  /** It is submitted later; the deadline of the step holds. */
  | { readonly verdict: 'hold'; readonly rule: RuleId; readonly until: number }
  /** The step ends without a submission. `text` is for the operator: no number, no content. */
  | { readonly verdict: 'fail'; readonly rule: RuleId; readonly cause: Cause; readonly text: string }

export interface RuleGroup {
  /** Its row of `trust_versions`. */
  readonly name: string
  /**
   * Reads its tables into memory; called at the start and after every change of the version. It replaces what it holds
   * only when everything is read. `version` is that of `trust_versions`, which a failover can take back; absent: read all,
   * whatever is held.
   */
  readonly load?: (database: Queryable, version?: string) => Promise<void>
  /** Adds an issue for every rule that the draft breaks, for sends and dry runs. */
  readonly judgeDraft?: (judged: JudgedAccount, subject: DraftSubject) => void
  /** Called before the step is placed, released and claimed, fallback steps included: several times for one step. */
  readonly judgeSubmission?: (judged: JudgedAccount, job: RouteJob, route: RouteShare) => Denial | null
  /** Whether a route may be chosen; must not depend on the time. */
  readonly mayUse?: (judged: JudgedAccount, request: RouteRequest, route: RouteShare) => boolean
}

/** Caches a property of a route: reading its options is slow, and a changed route is a new object. */
export function cacheByRoute(
  read: (protocol: RouteShare['protocol'], options: RouteShare['options']) => boolean,
): (route: RouteShare) => boolean {
  const known = new WeakMap<RouteShare, boolean>()
  return (route) => {
    let value = known.get(route)
    if (value === undefined) known.set(route, (value = read(route.protocol, route.options)))
    return value
  }
}
