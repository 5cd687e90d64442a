import fc from 'fast-check'
import { blockedBacklogModes } from '../../../../src/identity/accounts/blocks.ts'
import { nightChoices } from '../../../../src/trust/quiet-hours/choices.ts'
import { switchedRules, type RuleId } from '../../../../src/trust/rules.ts'
import { storedSenderStates } from '../../../../src/trust/senders/sender.ts'
import { choiceStates } from '../../../../src/trust/suppression/choice.ts'
import {
  abroadSteps,
  domesticRecipients,
  domesticSteps,
  foreignRecipients,
  optOut,
  registrable,
  type KnownStep,
} from './flows.ts'
import type { KnownAccountState } from './known.ts'

export const accountIds = [1, 2, 3] as const
const account = fc.constantFrom(...accountIds)

const countries = fc.constantFrom<readonly string[]>(['*'], ['US', 'FR', 'VN'], ['DE'], [])
const advertising = fc.record({
  advertiser: fc.nat(4).map((nth) => nth === 0),
  names: fc.subarray(['Shop']),
  optOutNumbers: fc.subarray([optOut]),
})
const accountState: fc.Arbitrary<KnownAccountState> = fc.record({
  trust: fc.record({
    kind: fc.constantFrom('customer' as const, 'customer' as const, 'reseller' as const),
    sandbox: fc.nat(7).map((nth) => nth === 0),
    originCodes: fc.subarray(['200000001']),
  }),
  advertising,
  protection: fc.record({
    countries,
    onSuspicion: fc.constantFrom('refuse' as const, 'hold' as const),
    recipientPerHour: fc.constantFrom(null, 2, 3),
    prefixPer10Minutes: fc.constant(null),
    links: fc.constantFrom('any' as const, 'no-shorteners' as const, 'listed' as const),
    linkDomains: fc.subarray(['shop.kr', 'bit.ly']),
    safeNumbers: fc.constant([]),
    caps: fc.uniqueArray(
      fc.record({
        period: fc.constantFrom('day' as const, 'month' as const),
        class: fc.constantFrom('all', 'sms', 'international', 'US'),
        max: fc.integer({ min: 1, max: 6 }),
      }),
      { maxLength: 2, selector: ({ period, class: name }) => period + name },
    ),
  }),
  night: fc.constantFrom(...nightChoices),
})

/** Rules that most histories enable. */
const commonRules: readonly RuleId[] = [
  ...(['advertisement-quiet-hours', 'advertisement-country-hours', 'advertisement-opt-out'] as const),
  ...(['country-enabled', 'link-allowed', 'recipient-velocity', 'premium-recipient'] as const),
]

export const setup = fc.record({
  accounts: fc.tuple(accountState, accountState, accountState),
  rules: fc.oneof(
    { weight: 4, arbitrary: fc.constant(commonRules) },
    { weight: 1, arbitrary: fc.subarray([...switchedRules]) },
    { weight: 1, arbitrary: fc.constant(switchedRules) },
  ),
  /** Whether each sender is registered for all accounts from the start. */
  isRegistered: fc.nat(3).map((nth) => nth > 0),
})
export type Setup = typeof setup extends fc.Arbitrary<infer Value> ? Value : never

/** At least half of the steps violate no form rule, unless the account is an advertiser, so that more messages are accepted. */
const flow = (known: readonly KnownStep[]) =>
  fc.array(
    fc.oneof(
      fc.constantFrom(...known),
      fc.constantFrom(...known.filter(({ isAd, broken }) => !isAd || broken.length === 0)),
    ),
    { minLength: 1, maxLength: 3 },
  )
const timing = {
  accountId: account,
  /** Delay in minutes; null means immediately. */
  sendIn: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
  ),
  ttlMinutes: fc.constantFrom(10, 60, 1_440, 4_320),
}

const send = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      ...timing,
      recipient: fc.constantFrom(...domesticRecipients),
      flow: flow(domesticSteps),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      ...timing,
      recipient: fc.constantFrom(...foreignRecipients),
      flow: flow(abroadSteps),
    }),
  },
)

const event = fc.oneof(
  { weight: 6, arbitrary: send },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      /** Index of the waiting message. */
      nth: fc.nat(20),
      protocol: fc.constantFrom('smpp' as const, 'tagged' as const, 'lending' as const, 'sandbox' as const),
      /** Difference of the worker clock from the API clock. */
      skewSeconds: fc.constantFrom(0, 0, 0, -600, -20, 20, 600),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      seconds: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 600, max: 50_000 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('register' as const),
      accountId: account,
      sender: fc.constantFrom(...registrable),
      state: fc.constantFrom('active' as const, ...storedSenderStates),
      validMinutes: fc.option(fc.integer({ min: 1, max: 2_000 }), { nil: null }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('choose' as const),
      accountId: fc.constantFrom(0, ...accountIds),
      recipient: fc.constantFrom(...domesticRecipients, ...foreignRecipients),
      state: fc.constantFrom(...choiceStates),
      night: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rule' as const),
      rule: fc.constantFrom(...switchedRules),
      on: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('block' as const),
      accountId: account,
      backlog: fc.constantFrom(null, null, ...blockedBacklogModes),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('countries' as const), accountId: account, countries }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('advertising' as const), accountId: account, advertising }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('release' as const), nth: fc.nat(20), sends: fc.boolean() }),
  },
)
export type HistoryEvent = typeof event extends fc.Arbitrary<infer Value> ? Value : never

export const wholeHistory = fc.record({ setup, events: fc.array(event, { minLength: 20, maxLength: 80 }) })
