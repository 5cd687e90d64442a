/**
 * Checks that each step is sent from a sender that is registered for its account and active, and never from a
 * blocked one. It also restricts routes: sandbox accounts use sandbox routes only, and an RCS message without a
 * brand uses no route with a shared brand.
 */
import type { Step } from '../../channels/channel.ts'
import { classifySender, getSenderNumberKind } from '../../channels/numbers.ts'
import { usesSharedBrand } from '../../carriers/connectors/registry.ts'
import { FieldProblem, invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { RouteShare } from '../../carriers/routes/shares.ts'
import type { RuleId } from '../rules.ts'
import type { TrustSettings } from '../settings.ts'
import { cacheByRoute, type RuleDecision, type AccountContext, type RuleGroup } from '../rule-group.ts'
import { SenderIndex } from './sender-index.ts'
import { readSendersFrom } from './queries.ts'
import type { SenderKind, SenderState } from './sender.ts'
import { findNumberShape } from './shapes.ts'
import { getStepSender, senderUses, type SenderUse } from './used-senders.ts'

type RegistrationState = SenderState | 'unknown'

interface SenderFault {
  readonly code: ResultCode
  readonly reason: string
}

/** The state of its sender and the next step, for a client. */
const stateReasons: Readonly<Record<RegistrationState, string>> = {
  unknown: 'is not registered for the account; ask the service operator to register it as ',
  pending: 'is registered for the account, but not approved yet; ask the service operator',
  rejected: 'was rejected for the account; ask the service operator for the reason',
  blocked: 'is blocked; ask the service operator for the reason',
  expired:
    'is registered for the account, but the registration has expired; ask the service operator to renew it',
  active: '',
}

/** What the operator registers, after `stateReasons.unknown`. */
const registeredAs: Readonly<Record<SenderKind, string>> = {
  number: 'a number',
  international: 'a number or an international sender',
  chatbot: 'a number',
  brand: 'a brand',
  'kakao-key': 'a Kakao key',
  'kakao-template': 'a Kakao template',
}

/** The reason why a number of this kind without an active registration cannot send, for a client. */
const kindReasons = {
  special:
    'is a special number, reserved for its owner; ask the service operator to register it for the account',
  'old-mobile': 'is a mobile number that was abolished with 2G and cannot send; use another number',
  forwarding:
    'is a safety or personal number, which forwards to another and hides the sender, and cannot send; use another number',
} as const

export function createSenders({ senderKinds = [] }: TrustSettings, index = new SenderIndex()): RuleGroup {
  /** Returns why a number that is not registered cannot be a sender, or null. */
  function findShapeFault(number: string, rules: AccountContext['rules']): string | null {
    const form = classifySender(number)
    if (form === 'foreign' || form === 'alphanumeric') return null
    const kind = getSenderNumberKind(number) ?? 'ordinary'
    if (senderKinds.includes(kind)) return null
    if (kind !== 'ordinary') return kindReasons[kind]
    if (!rules.has('sender-number-shape')) return null
    const shape = findNumberShape(number)
    if (shape === undefined) return 'does not exist in the Korean numbering plan; correct it'
    return shape.numberClass === 'allow'
      ? null
      : `${shape.reason}; ask the service operator to register it for the account`
  }

  function findState(
    { accountId, now }: AccountContext,
    { kind }: SenderUse,
    value: string,
  ): RegistrationState {
    return index.isBlocked(accountId, value) ? 'blocked' : index.getState(accountId, kind, value, now)
  }

  /**
   * Returns at most one fault: a wrong form also means that the number is not registered. `isReported` is set if the
   * form of this number is reported for an earlier step.
   */
  function findFault(
    account: AccountContext,
    use: SenderUse,
    value: string,
    isReported: boolean,
  ): SenderFault | null {
    const state = findState(account, use, value)
    if (state === 'active') return null
    // No switch allows a blocked sender.
    if (state === 'blocked') return { code: 'A323', reason: stateReasons.blocked }
    const reason = use.field === 'from' && !isReported ? findShapeFault(value, account.rules) : null
    if (reason !== null) return { code: 'A302', reason }
    if (account.account.sandbox || !account.rules.has(use.rule)) return null
    return { code: 'A327', reason: stateReasons[state] + (state === 'unknown' ? registeredAs[use.kind] : '') }
  }

  return {
    name: 'senders',
    async load(database: Queryable, version?: string) {
      // A lower version means that the database has lost changes that are applied here.
      if (version === undefined || BigInt(version) < BigInt(index.version))
        index.replace(await readSendersFrom(database, '0'))
      else index.apply(await readSendersFrom(database, index.version))
    },
    checkDraft(account, { draft, getPath, issues }) {
      let reported: string | undefined
      draft.steps.forEach((step, nth) => {
        for (const use of senderUses[step.channel]) {
          const value = getStepSender(step, use.field)
          if (value === undefined) continue
          const fault = findFault(account, use, value, value === reported)
          if (fault === null) continue
          if (fault.code === 'A302') reported = value
          const path = hasInheritedSender(step, draft.steps, getPath(step, nth))
            ? use.field
            : getPath(step, nth) + use.field
          if (!issues.all.some((problem) => problem instanceof FieldProblem && problem.field === path))
            issues.add(invalidField(fault.code, path, fault.reason))
        }
      })
    },
    checkSubmission(account, { content }, route) {
      if (account.account.sandbox && route.protocol !== 'sandbox') return sandboxOnly
      // The rule can have been enabled after the route was chosen.
      return denySender(account, content) ?? denySharedBrand(account, content, route)
    },
    isRouteAllowed(account, { step }, route) {
      if (account.account.sandbox) return route.protocol === 'sandbox'
      return step === undefined || denySharedBrand(account, step, route) === null
    },
  }

  function denySender(account: AccountContext, step: Step): RuleDecision | null {
    for (const use of senderUses[step.channel]) {
      const value = getStepSender(step, use.field)
      if (value === undefined) continue
      const state = findState(account, use, value)
      if (state === 'active') continue
      if (state === 'blocked') return createDenial('sender-not-blocked', use.field, state)
      if (!account.account.sandbox && account.rules.has(use.rule))
        return createDenial(use.rule, use.field, state)
    }
    return null
  }
}

/** Returns whether the step is the fallback of a simple RCS send with the sender of the RCS message. */
function hasInheritedSender(step: Step, [first]: readonly Step[], path: string): boolean {
  const isFallback = path === 'fallback.' && first?.channel === 'rcs'
  return isFallback && getStepSender(step, 'from') === getStepSender(first, 'from')
}

/** Denies a message without a brand on a route that would send it under a brand that others share. */
function denySharedBrand(
  { account, rules }: AccountContext,
  step: Step,
  route: RouteShare,
): RuleDecision | null {
  if (step.channel !== 'rcs' || account.sandbox || !rules.has('rcs-brand-registered')) return null
  if (getStepSender(step, 'brandKey') !== undefined || !hasSharedBrand(route)) return null
  return {
    verdict: 'fail',
    rule: 'rcs-brand-registered',
    cause: 'unregistered-sender',
    text: 'brandKey is missing, and the route would send under a shared brand',
  }
}

const hasSharedBrand = cacheByRoute(usesSharedBrand)

const sandboxOnly: RuleDecision = {
  verdict: 'fail',
  rule: 'sandbox-account',
  cause: 'no-route',
  text: 'the account is a sandbox account, and the route leads to a carrier',
}

function createDenial(rule: RuleId, field: string, state: RegistrationState): RuleDecision {
  const text = `${field} is ${state === 'unknown' ? 'not registered for the account' : `${state} for the account`}`
  return { verdict: 'fail', rule, cause: 'unregistered-sender', text }
}
