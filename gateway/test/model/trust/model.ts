import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Step } from '../../../src/channels/channel.ts'
import { Issues } from '../../../src/channels/issues.ts'
import type { AccountTrust } from '../../../src/trust/accounts.ts'
import { createOrigin } from '../../../src/trust/origin/origin.ts'
import { createPolicy, type Policy } from '../../../src/trust/policy.ts'
import { switchedRules, type RuleId } from '../../../src/trust/rules.ts'
import { SenderIndex } from '../../../src/trust/senders/sender-index.ts'
import {
  storedSenderStates,
  type SenderKind,
  type StoredSenderState,
} from '../../../src/trust/senders/sender.ts'
import { createSenders } from '../../../src/trust/senders/senders.ts'
import { routeJob, acceptedJob } from '../../support/fixtures.ts'
import { modelRoutes } from './routes.ts'

const operator = '100000001'
const codes = ['200000001', '200000002', '900000009', operator]
/** Valid sender numbers, so that only the registry decides. 060 requires a registration as well. */
const numbers = ['0234567890', '15881234', '01023456789', '0601234567']
const keys = ['@a', '@b']

interface Registered {
  readonly accountId: number
  readonly kind: SenderKind
  readonly value: string
  readonly state: StoredSenderState
  /** Time on the clock of the case; null means unlimited. */
  readonly until: number | null
}

/** Event of a history. `send` checks a draft; each later `dispatch` checks all accepted steps again. */
type Event =
  | { readonly kind: 'register'; readonly sender: Registered }
  | { readonly kind: 'account'; readonly accountId: number; readonly trust: AccountTrust }
  | { readonly kind: 'rule'; readonly rule: RuleId; readonly on: boolean }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'send'; readonly accountId: number; readonly steps: readonly Step[] }
  | { readonly kind: 'dispatch'; readonly protocol: 'smpp' | 'sandbox'; readonly tagged: boolean }

const account = fc.integer({ min: 1, max: 3 })
const number = fc.constantFrom(...numbers)
const key = fc.constantFrom(...keys)
const origin = fc.option(fc.constantFrom(...codes), { nil: undefined })

const sender: fc.Arbitrary<Registered> = fc
  .tuple(
    account,
    fc.oneof(
      fc.tuple(fc.constantFrom<SenderKind>('number', 'chatbot', 'international'), number),
      fc.tuple(fc.constantFrom<SenderKind>('brand', 'kakao-key', 'kakao-template'), key),
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<StoredSenderState>('active') },
      fc.constantFrom(...storedSenderStates),
    ),
    fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
  )
  .map(([accountId, [kind, value], state, until]) => ({ accountId, kind, value, state, until }))

const textStep = (channel: 'sms' | 'international'): fc.Arbitrary<Step> =>
  fc
    .tuple(number, origin)
    .map(([from, originCid]) => ({
      channel,
      from,
      text: 'x',
      ...(originCid === undefined || channel === 'international' ? {} : { originCid }),
    }))
const richStep = (channel: 'mms' | 'rcs' | 'alimtalk' | 'friendtalk' | 'brandmessage'): fc.Arbitrary<Step> =>
  fc
    .tuple(number, key, fc.option(key, { nil: undefined }), origin)
    .map(([from, firstKey, other, originCID]) => {
      const code = originCID === undefined ? {} : { originCID }
      if (channel === 'mms') return { channel, content: { from, text: 'x', ...code } }
      if (channel === 'rcs')
        return { channel, content: { from, ...(other === undefined ? {} : { brandKey: other }) } }
      const template = other === undefined || channel === 'friendtalk' ? {} : { templateCode: other }
      return {
        channel,
        content: { senderKey: firstKey, ...template, ...(channel === 'brandmessage' ? code : {}) },
      }
    })
const step = fc.oneof(
  ...[textStep('sms'), textStep('international')],
  ...(['mms', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'] as const).map(richStep),
)

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: sender.map((one): Event => ({ kind: 'register', sender: one })) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        kind: fc.constantFrom('customer' as const, 'reseller' as const),
        sandbox: fc.boolean(),
        originCodes: fc.subarray(codes.slice(0, 3)),
      })
      .chain((trust) => account.map((accountId): Event => ({ kind: 'account', accountId, trust }))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...switchedRules), fc.boolean())
      .map(([rule, on]): Event => ({ kind: 'rule', rule, on })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 50 }).map((ms): Event => ({ kind: 'pass', ms })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(account, fc.array(step, { minLength: 1, maxLength: 3 }))
      .map(([accountId, steps]): Event => ({ kind: 'send', accountId, steps })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('smpp' as const, 'sandbox' as const), fc.boolean())
      .map(([protocol, tagged]): Event => ({ kind: 'dispatch', protocol, tagged })),
  },
)

export const history = fc.array(event, { minLength: 5, maxLength: 40 })

/** Literal implementation of the rules, without an index. */
class ReferenceModel {
  readonly registered: Registered[] = []
  readonly accounts = new Map<number, AccountTrust>()
  readonly rules = new Set<RuleId>()
  now = 0

  isActive(accountId: number, kinds: readonly SenderKind[], value: unknown): boolean {
    return kinds.some((kind) => {
      const last = this.registered.findLast(
        (one) => one.accountId === accountId && one.kind === kind && one.value === value,
      )
      return last?.state === 'active' && (last.until === null || this.now < last.until)
    })
  }

  /** Reports whether none of the senders is blocked for any kind. */
  hasNoBlockedSender(accountId: number, step: Step): boolean {
    const fields = ('content' in step ? step.content : step) as Readonly<Record<string, unknown>>
    const used = [fields.from, fields.brandKey, fields.senderKey, fields.templateCode]
    return used.every((value) =>
      [...new Set(this.registered.map(({ kind }) => kind))].every((kind) => {
        const last = this.registered.findLast(
          (one) => one.accountId === accountId && one.kind === kind && one.value === value,
        )
        return last?.state !== 'blocked'
      }),
    )
  }

  trust(accountId: number): AccountTrust {
    return this.accounts.get(accountId) ?? { kind: 'customer', sandbox: false, originCodes: [] }
  }

  /** Reports whether a step can be sent from its senders. */
  sendersComply(accountId: number, step: Step): boolean {
    const fields = ('content' in step ? step.content : step) as Readonly<Record<string, unknown>>
    const needs = (rule: RuleId, kinds: readonly SenderKind[], value: unknown): boolean =>
      value === undefined || !this.rules.has(rule) || this.isActive(accountId, kinds, value)
    switch (step.channel) {
      case 'sms':
      case 'mms':
        return needs('sender-number-registered', ['number'], fields.from)
      case 'international':
        return needs('international-sender-registered', ['number', 'international'], fields.from)
      case 'rcs':
        return (
          needs('rcs-chatbot-registered', ['chatbot', 'number'], fields.from) &&
          needs('rcs-brand-registered', ['brand'], fields.brandKey)
        )
      default:
        return (
          needs('kakao-key-registered', ['kakao-key'], fields.senderKey) &&
          needs('kakao-template-registered', ['kakao-template'], fields.templateCode)
        )
    }
  }

  /** Checks premium numbers, which require a registered sender if forms are checked. */
  formComplies(accountId: number, step: Step): boolean {
    const { from } = ('content' in step ? step.content : step) as { readonly from?: string }
    if (from !== '0601234567' || !this.rules.has('sender-number-shape')) return true
    if (step.channel === 'rcs') return this.isActive(accountId, ['chatbot', 'number'], from)
    const abroad: readonly SenderKind[] = step.channel === 'international' ? ['international'] : []
    return this.isActive(accountId, ['number', ...abroad], from)
  }

  originComplies(accountId: number, step: Step): boolean {
    const { kind, originCodes } = this.trust(accountId)
    const content = ('content' in step ? step.content : step) as Readonly<Record<string, string>>
    const given = content.originCID ?? content.originCid
    const ownedCodes = kind === 'customer' ? [...originCodes, operator] : originCodes
    if (given !== undefined) return !this.rules.has('origin-code-owned') || ownedCodes.includes(given)
    const isText = step.channel === 'sms' || step.channel === 'mms'
    return !isText || !this.rules.has('origin-code-present') || ownedCodes.length > 0
  }
}

/** Number of cases by outcome, so that a run without some outcomes does not pass. */
export type Coverage = Record<string, number>

const count = (coverage: Coverage, outcome: string): void =>
  void (coverage[outcome] = (coverage[outcome] ?? 0) + 1)

/**
 * Compares sender rules with a simple reference: random accounts, registries, clocks and flows go through the
 * policy like in accept and dispatch. No step may reach a connector from a sender that does not belong to its
 * account at that moment, and no compliant step may be refused.
 */
export function runHistory(events: readonly Event[], coverage: Coverage): void {
  const reference = new ReferenceModel()
  const index = new SenderIndex()
  const groups = [createSenders({}, index), createOrigin({ originCode: operator })]
  const policy = createPolicy({ groups, originCode: operator, state: () => reference })
  const accepted: { accountId: number; step: Step }[] = []
  for (const one of events) {
    switch (one.kind) {
      case 'register': {
        const { until, ...rest } = one.sender
        reference.registered.push(one.sender)
        const validUntil = until === null ? null : new Date(until)
        index.apply({ version: '1', senders: [{ ...rest, validUntil, createdAt: new Date(0) }] })
        break
      }
      case 'account':
        reference.accounts.set(one.accountId, one.trust)
        break
      case 'rule':
        if (one.on) reference.rules.add(one.rule)
        else reference.rules.delete(one.rule)
        break
      case 'pass':
        reference.now += one.ms
        break
      case 'send':
        checkSend(policy, reference, one, coverage).forEach((step) =>
          accepted.push({ accountId: one.accountId, step }),
        )
        break
      case 'dispatch':
        for (const { accountId, step } of accepted)
          dispatch(policy, reference, accountId, step, one, coverage)
    }
  }
}

function checkSend(
  policy: Policy,
  reference: ReferenceModel,
  { accountId, steps }: Extract<Event, { kind: 'send' }>,
  coverage: Coverage,
): readonly Step[] {
  const issues = new Issues('first')
  policy.checkDraft(
    accountId,
    { draft: { to: '01012345678', steps }, getPath: () => '', issues },
    reference.now,
  )
  const { sandbox } = reference.trust(accountId)
  const complies = steps.every(
    (step) =>
      reference.hasNoBlockedSender(accountId, step) &&
      reference.formComplies(accountId, step) &&
      (sandbox || reference.sendersComply(accountId, step)) &&
      reference.originComplies(accountId, step),
  )
  assert.equal(issues.first === undefined, complies, issues.first?.message)
  count(coverage, complies ? 'accepted' : 'refused')
  return complies ? steps : []
}

const anyJob = routeJob(acceptedJob())

function dispatch(
  policy: Policy,
  reference: ReferenceModel,
  accountId: number,
  content: Step,
  { protocol, tagged }: Extract<Event, { kind: 'dispatch' }>,
  coverage: Coverage,
): void {
  const route = protocol === 'sandbox' ? modelRoutes.sandbox : tagged ? modelRoutes.tagged : modelRoutes.smpp
  const { sandbox } = reference.trust(accountId)
  const reachable = !sandbox || protocol === 'sandbox'
  const isText = content.channel === 'sms' || content.channel === 'mms'
  const request = { accountId, channel: content.channel, to: '01012345678', msgKey: '' }
  assert.equal(
    policy.isRouteAllowed(request, route),
    reachable && (protocol === 'sandbox' || tagged || !isText || !reference.rules.has('origin-code-carried')),
  )
  const job = { ...anyJob, accountId, content }
  const denial = policy.checkSubmission(job, route, reference.now)
  const complies =
    reachable &&
    reference.hasNoBlockedSender(accountId, content) &&
    (sandbox || reference.sendersComply(accountId, content)) &&
    reference.originComplies(accountId, content)
  assert.equal(denial === null, complies, JSON.stringify(denial))
  count(coverage, complies ? 'submitted' : 'stopped')
}
