/**
 * The senders of an account: each step is sent from a sender that is registered for its account and active, and never from
 * one that is blocked. Judged at accept and again at submission, over all registered senders in memory.
 */
import type { Step } from '../../channels/channel.ts'
import { classifySender, senderKindOf } from '../../channels/numbers.ts'
import { lendsBrand } from '../../connectors/registry.ts'
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Queryable } from '../../platform/database.ts'
import type { RouteShare } from '../../routes/shares.ts'
import type { RuleId } from '../rules.ts'
import type { TrustSettings } from '../settings.ts'
import type { Denial, RuleGroup, JudgedAccount } from '../rule-group.ts'
import { SenderIndex } from './sender-index.ts'
import { readSendersFrom } from './queries.ts'
import type { SenderState } from './sender.ts'
import { shapeOf } from './shapes.ts'
import { sendersOf, valueOf, type SenderUse } from './used-senders.ts'

type FoundState = SenderState | 'unknown'

interface Fault {
  readonly code: ResultCode
  readonly reason: string
}

/** What a client reads: the state of its sender and what to do next. */
const next: Readonly<Record<FoundState, string>> = {
  unknown: 'is not registered for the account; ask the operator of the service to register it',
  pending: 'is registered for the account, but not approved yet; ask the operator of the service',
  rejected: 'was rejected for the account; ask the operator of the service why',
  blocked: 'is blocked; ask the operator of the service why',
  expired: 'is registered for the account, but the registration has ended; ask the operator to renew it',
  active: '',
}

/** Kinds of numbers that `POSTERN_SENDER_KINDS` allows for every account: why others may not, and what a client does next. */
const meanings = {
  special:
    'is a special number, which only its owner may send from; ask the operator of the service to register it for the account',
  'old-mobile': 'is a mobile number that ended with 2G and may not send; use another number',
  forwarding:
    'is a safety or personal number, which forwards to another and hides the sender, and may not send; use another number',
} as const

export function createSenders({ senderKinds = [] }: TrustSettings, index = new SenderIndex()): RuleGroup {
  /** Why a number may not be a sender; null when it may. A registered one was checked when it was registered. */
  function findShapeFault(number: string, rules: JudgedAccount['rules']): string | null {
    const form = classifySender(number)
    if (form === 'foreign' || form === 'alphanumeric') return null
    const kind = senderKindOf(number) ?? 'ordinary'
    if (senderKinds.includes(kind)) return null
    if (kind !== 'ordinary') return meanings[kind]
    if (!rules.has('sender-number-shape')) return null
    const shape = shapeOf(number)
    if (shape === undefined) return 'is not a number that exists in the Korean numbering plan; correct it'
    return shape.verdict === 'allow'
      ? null
      : `${shape.reason}; ask the operator of the service to register it for the account`
  }

  function stateOf({ accountId, now }: JudgedAccount, kinds: SenderUse['kinds'], value: string): FoundState {
    if (index.isBlocked(accountId, value)) return 'blocked'
    let found: FoundState = 'unknown'
    for (const kind of kinds) {
      const state = index.stateOf(accountId, kind, value, now)
      if (state === 'active') return state
      if (found === 'unknown') found = state
    }
    return found
  }

  /**
   * One fault for a field: that of the form says to correct the number or to have it registered, and that it is not
   * registered adds nothing to this.
   * `isReported`: an earlier step has the number, and its form is reported there.
   */
  function findFault(
    judged: JudgedAccount,
    use: SenderUse,
    value: string,
    isReported: boolean,
  ): Fault | null {
    const state = stateOf(judged, use.kinds, value)
    if (state === 'active') return null
    // Whatever the rules are: a block is a stop.
    if (state === 'blocked') return { code: 'A323', reason: next.blocked }
    const reason = use.field === 'from' && !isReported ? findShapeFault(value, judged.rules) : null
    if (reason !== null) return { code: 'A302', reason }
    if (judged.account.sandbox || !judged.rules.has(use.rule)) return null
    return { code: use.code, reason: next[state] }
  }

  return {
    name: 'senders',
    async load(database: Queryable, version?: string) {
      // Lower: the database has lost changes that are applied here.
      if (version === undefined || BigInt(version) < BigInt(index.version))
        index.replace(await readSendersFrom(database, '0'))
      else index.apply(await readSendersFrom(database, index.version))
    },
    judgeDraft(judged, { draft, placeOf, issues }) {
      let reported: string | undefined
      draft.steps.forEach((step, nth) => {
        for (const use of sendersOf(step)) {
          const value = valueOf(step, use)
          if (value === undefined) continue
          const fault = findFault(judged, use, value, value === reported)
          if (fault?.code === 'A302') reported = value
          if (fault !== null)
            issues.add(invalidField(fault.code, placeOf(step, nth) + use.field, fault.reason))
        }
      })
    },
    judgeSubmission(judged, { content }, route) {
      if (judged.account.sandbox && route.protocol !== 'sandbox') return sandboxOnly
      // The rule may have been switched on after the route was chosen.
      return firstDenied(judged, content) ?? denyLentBrand(judged, content, route)
    },
    mayUse(judged, { step }, route) {
      if (judged.account.sandbox) return route.protocol === 'sandbox'
      return step === undefined || denyLentBrand(judged, step, route) === null
    },
  }

  function firstDenied(judged: JudgedAccount, step: Step): Denial | null {
    for (const use of sendersOf(step)) {
      const value = valueOf(step, use)
      if (value === undefined) continue
      const state = stateOf(judged, use.kinds, value)
      if (state === 'active') continue
      if (state === 'blocked') return denied('sender-not-blocked', use.field, state)
      if (!judged.account.sandbox && judged.rules.has(use.rule)) return denied(use.rule, use.field, state)
    }
    return null
  }
}

/** Without a brand of its own a message would appear under one that others use too. */
function denyLentBrand({ account, rules }: JudgedAccount, step: Step, route: RouteShare): Denial | null {
  if (step.channel !== 'rcs' || account.sandbox || !rules.has('rcs-brand-registered')) return null
  if (valueOf(step, { field: 'brandKey' }) !== undefined || !lends(route)) return null
  return {
    ...{ verdict: 'fail', rule: 'rcs-brand-registered', cause: 'unregistered-sender' },
    text: 'brandKey is missing, and the route would send under a brand that others use too',
  }
}

/** Reading the options of a route takes 20 µs; routes are replaced as a whole when they change. */
const lending = new WeakMap<RouteShare, boolean>()

function lends(route: RouteShare): boolean {
  let known = lending.get(route)
  if (known === undefined) lending.set(route, (known = lendsBrand(route.protocol, route.options)))
  return known
}

const sandboxOnly: Denial = {
  ...{ verdict: 'fail', rule: 'sandbox-account', cause: 'no-route' },
  text: 'the account is a sandbox account, and the route leads to a carrier',
}

function denied(rule: RuleId, field: string, state: FoundState): Denial {
  const text = `${field} is ${state === 'unknown' ? 'not registered for the account' : `${state} for the account`}`
  return { verdict: 'fail', rule, cause: 'unregistered-sender', text }
}
