/** Each step is sent from a sender that is registered for its account and active, and never from a blocked one. */
import type { Step } from '../../channels/channel.ts'
import { classifySender, senderKindOf } from '../../channels/numbers.ts'
import { lendsBrand } from '../../connectors/registry.ts'
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Queryable } from '../../platform/database.ts'
import type { RouteShare } from '../../routes/shares.ts'
import type { RuleId } from '../rules.ts'
import type { TrustSettings } from '../settings.ts'
import { cacheByRoute, type Denial, type JudgedAccount, type RuleGroup } from '../rule-group.ts'
import { SenderIndex } from './sender-index.ts'
import { readSendersFrom } from './queries.ts'
import type { SenderState } from './sender.ts'
import { findNumberShape } from './shapes.ts'
import { readSender, senderUses, type SenderUse } from './used-senders.ts'

type RegistrationState = SenderState | 'unknown'

interface SenderFault {
  readonly code: ResultCode
  readonly reason: string
}

/** Tells a client the state of its sender and what to do next. */
const stateReasons: Readonly<Record<RegistrationState, string>> = {
  unknown: 'is not registered for the account; ask the operator of the service to register it',
  pending: 'is registered for the account, but not approved yet; ask the operator of the service',
  rejected: 'was rejected for the account; ask the operator of the service why',
  blocked: 'is blocked; ask the operator of the service why',
  expired: 'is registered for the account, but the registration has expired; ask the operator to renew it',
  active: '',
}

/** Tells a client why a number of this kind cannot send unless POSTERN_SENDER_KINDS allows the kind. */
const kindReasons = {
  special:
    'is a special number, which only its owner may send from; ask the operator of the service to register it for the account',
  'old-mobile': 'is a mobile number that ended with 2G and cannot send; use another number',
  forwarding:
    'is a safety or personal number, which forwards to another and hides the sender, and cannot send; use another number',
} as const

export function createSenders({ senderKinds = [] }: TrustSettings, index = new SenderIndex()): RuleGroup {
  /** Returns why a number that is not registered cannot be a sender, or null. */
  function findShapeFault(number: string, rules: JudgedAccount['rules']): string | null {
    const form = classifySender(number)
    if (form === 'foreign' || form === 'alphanumeric') return null
    const kind = senderKindOf(number) ?? 'ordinary'
    if (senderKinds.includes(kind)) return null
    if (kind !== 'ordinary') return kindReasons[kind]
    if (!rules.has('sender-number-shape')) return null
    const shape = findNumberShape(number)
    if (shape === undefined) return 'is not a number that exists in the Korean numbering plan; correct it'
    return shape.numberClass === 'allow'
      ? null
      : `${shape.reason}; ask the operator of the service to register it for the account`
  }

  function findState(
    { accountId, now }: JudgedAccount,
    kinds: SenderUse['kinds'],
    value: string,
  ): RegistrationState {
    if (index.isBlocked(accountId, value)) return 'blocked'
    let found: RegistrationState = 'unknown'
    for (const kind of kinds) {
      const state = index.getState(accountId, kind, value, now)
      if (state === 'active') return state
      if (found === 'unknown') found = state
    }
    return found
  }

  /**
   * Returns one fault per field: a wrong form also means that the number is not registered. `isReported` is set if the form of
   * this number is reported for an earlier step.
   */
  function findFault(
    judged: JudgedAccount,
    use: SenderUse,
    value: string,
    isReported: boolean,
  ): SenderFault | null {
    const state = findState(judged, use.kinds, value)
    if (state === 'active') return null
    // No switch allows a blocked sender.
    if (state === 'blocked') return { code: 'A323', reason: stateReasons.blocked }
    const reason = use.field === 'from' && !isReported ? findShapeFault(value, judged.rules) : null
    if (reason !== null) return { code: 'A302', reason }
    if (judged.account.sandbox || !judged.rules.has(use.rule)) return null
    return { code: 'A327', reason: stateReasons[state] }
  }

  return {
    name: 'senders',
    async load(database: Queryable, version?: string) {
      // A lower version means that the database has lost changes that are applied here.
      if (version === undefined || BigInt(version) < BigInt(index.version))
        index.replace(await readSendersFrom(database, '0'))
      else index.apply(await readSendersFrom(database, index.version))
    },
    judgeDraft(judged, { draft, placeOf, issues }) {
      let reported: string | undefined
      draft.steps.forEach((step, nth) => {
        for (const use of senderUses[step.channel]) {
          const value = readSender(step, use.field)
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
      return denySender(judged, content) ?? denySharedBrand(judged, content, route)
    },
    mayUse(judged, { step }, route) {
      if (judged.account.sandbox) return route.protocol === 'sandbox'
      return step === undefined || denySharedBrand(judged, step, route) === null
    },
  }

  function denySender(judged: JudgedAccount, step: Step): Denial | null {
    for (const use of senderUses[step.channel]) {
      const value = readSender(step, use.field)
      if (value === undefined) continue
      const state = findState(judged, use.kinds, value)
      if (state === 'active') continue
      if (state === 'blocked') return denied('sender-not-blocked', use.field, state)
      if (!judged.account.sandbox && judged.rules.has(use.rule)) return denied(use.rule, use.field, state)
    }
    return null
  }
}

/** A message without a brand must not appear under one that others also use. */
function denySharedBrand({ account, rules }: JudgedAccount, step: Step, route: RouteShare): Denial | null {
  if (step.channel !== 'rcs' || account.sandbox || !rules.has('rcs-brand-registered')) return null
  if (readSender(step, 'brandKey') !== undefined || !hasSharedBrand(route)) return null
  return {
    verdict: 'fail',
    rule: 'rcs-brand-registered',
    cause: 'unregistered-sender',
    text: 'brandKey is missing, and the route would send under a brand that others also use',
  }
}

const hasSharedBrand = cacheByRoute(lendsBrand)

const sandboxOnly: Denial = {
  verdict: 'fail',
  rule: 'sandbox-account',
  cause: 'no-route',
  text: 'the account is a sandbox account, and the route leads to a carrier',
}

function denied(rule: RuleId, field: string, state: RegistrationState): Denial {
  const text = `${field} is ${state === 'unknown' ? 'not registered for the account' : `${state} for the account`}`
  return { verdict: 'fail', rule, cause: 'unregistered-sender', text }
}
