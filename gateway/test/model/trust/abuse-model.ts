import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Step } from '../../../src/channels/channel.ts'
import { Issues } from '../../../src/channels/issues.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { createAbuse } from '../../../src/trust/abuse/abuse.ts'
import { Caps } from '../../../src/trust/abuse/caps.ts'
import { defaultProtection, type ProtectedAccount } from '../../../src/trust/abuse/protection.ts'
import { defaultAccountTrust } from '../../../src/trust/accounts.ts'
import type { RuleId } from '../../../src/trust/rules.ts'
import { openTestBlindIndex } from '../../support/blind-index.ts'
import { silentLog } from '../../support/silent-log.ts'
import { createMemoryCapStore } from './memory-cap-store.ts'
import { createMemoryLimiter, isBucketEmpty } from './memory-limiter.ts'

const minute = 60_000
const rules: ReadonlySet<RuleId> = new Set<RuleId>([
  ...(['country-enabled', 'premium-recipient', 'recipient-velocity', 'prefix-velocity'] as const),
  'link-allowed',
])
/** Recipients and their countries; the country is null for domestic and premium numbers. */
const recipients: readonly (readonly [to: string, country: string | null, isPremium: boolean])[] = [
  ...[0, 1, 2, 3].map((n) => [`0101234567${n}`, null, false] as const),
  ['01099990000', null, false],
  ['+4915112345678', 'DE', false],
  ['+12025550123', 'US', false],
  ['+97912345678', null, true],
]
const texts: readonly (readonly [text: string, host: string | null])[] = [
  ['hello', null],
  ['see https://shop.kr/a', 'shop.kr'],
  ['bit[.]ly/x', 'bit.ly'],
]

type Event =
  | { readonly kind: 'set'; readonly accountId: number; readonly protection: ProtectedAccount }
  | { readonly kind: 'pass'; readonly minutes: number }
  /** All processes return their reservations. */
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'send'
      readonly accountId: number
      readonly process: number
      readonly to: number
      readonly text: number
    }

const account = fc.integer({ min: 1, max: 2 })
const cap = fc.record({
  period: fc.constantFrom('day' as const, 'month' as const),
  class: fc.constantFrom('all', 'sms', 'international', 'DE'),
  max: fc.integer({ min: 0, max: 6 }),
})
const protection: fc.Arbitrary<ProtectedAccount> = fc.record({
  countries: fc.constantFrom<readonly string[]>([], ['DE'], ['DE', 'US'], ['*']),
  onSuspicion: fc.constantFrom('refuse' as const, 'hold' as const),
  recipientPerHour: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null, freq: 9 }),
  prefixPer10Minutes: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
  links: fc.constantFrom('any' as const, 'no-shorteners' as const, 'listed' as const),
  linkDomains: fc.subarray(['shop.kr', 'bit.ly']),
  safeNumbers: fc.subarray(['0109999', '01012345670']),
  caps: fc.uniqueArray(cap, { maxLength: 3, selector: ({ period, class: name }) => period + name }),
})
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc
      .tuple(account, protection)
      .map(([accountId, settings]): Event => ({ kind: 'set', accountId, protection: settings })),
  },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 40 }).map((minutes): Event => ({ kind: 'pass', minutes })),
  },
  { weight: 1, arbitrary: fc.constant<Event>({ kind: 'pass', minutes: 1_440 }) },
  { weight: 2, arbitrary: fc.constant<Event>({ kind: 'idle' }) },
  {
    weight: 12,
    arbitrary: fc
      .record({
        accountId: account,
        process: fc.integer({ min: 0, max: 1 }),
        to: fc.oneof(fc.nat(1), fc.nat(recipients.length - 1)),
        text: fc.nat(texts.length - 1),
      })
      .map((one): Event => ({ kind: 'send', ...one })),
  },
)
export const abuseHistory = fc.array(event, { minLength: 5, maxLength: 60 })

interface Sent {
  /** Whether the message counts for velocity. */
  readonly isCounted: boolean
  readonly accountId: number
  readonly to: string
  readonly country: string | null
  readonly at: number
}

const findPeriodStart = (period: string, now: number): string =>
  period === 'day' ? `d${Math.floor(now / (1_440 * minute))}` : `m${Math.floor(now / (43_200 * minute))}`

/** Returns the expected decision according to a literal reading of the settings. */
function decide(
  settings: ProtectedAccount,
  sent: readonly Sent[],
  next: Sent,
  host: string | null,
  isPremium: boolean,
) {
  if (isPremium) return 'A306'
  const abroad = next.to.startsWith('+')
  if (abroad && !settings.countries.includes('*') && !settings.countries.includes(next.country ?? ''))
    return 'A342'
  const isForbidden =
    host !== null &&
    !settings.linkDomains.includes(host) &&
    (settings.links === 'listed' || (settings.links === 'no-shorteners' && host === 'bit.ly'))
  if (isForbidden && settings.onSuspicion === 'refuse') return 'A322'
  const reached = settings.caps.some((one) => {
    const counts = (message: Sent): boolean => {
      const channel = message.to.startsWith('+') ? 'international' : 'sms'
      return one.class === 'all' || one.class === channel || one.class === message.country
    }
    const inPeriod = (message: Sent): boolean =>
      findPeriodStart(one.period, message.at) === findPeriodStart(one.period, next.at)
    const before = sent.filter(
      (other) => other.accountId === next.accountId && counts(other) && inPeriod(other),
    )
    return counts(next) && before.length + 1 > one.max
  })
  if (reached) return 'A343'
  const tooFast = isTooFast(settings, sent, next)
  if (tooFast && settings.onSuspicion === 'refuse') return 'A344'
  return tooFast || isForbidden ? 'held' : 'accepted'
}

function isSafe(settings: ProtectedAccount, to: string): boolean {
  return settings.safeNumbers.some((safe) => to.startsWith(safe))
}

function isTooFast(
  settings: ProtectedAccount,
  sent: readonly Sent[],
  next: Pick<Sent, 'accountId' | 'to' | 'at'>,
) {
  if (isSafe(settings, next.to)) return false
  const prefix = (to: string): string => to.slice(0, -3)
  const counted = sent.filter((one) => one.isCounted && one.accountId === next.accountId)
  const findTimes = (isSame: (to: string) => boolean): number[] =>
    counted.filter(({ to }) => isSame(to)).map(({ at }) => at)
  const toNumber = findTimes((to) => to === next.to)
  const toPrefix = findTimes((to) => prefix(to) === prefix(next.to))
  return (
    isBucketEmpty(toNumber, settings.recipientPerHour ?? 20, 60 * minute, next.at) ||
    isBucketEmpty(toPrefix, settings.prefixPer10Minutes ?? 200, 10 * minute, next.at)
  )
}

/** Number of cases by outcome, so that a run without some outcomes does not pass. */
export type AbuseCoverage = Record<string, number>

/**
 * Compares the protection against abuse with a simple reference: random settings, clocks, recipients and
 * texts go through the rules like in accept, in two processes that share caps and velocity. No message may be
 * accepted against a cap, country or other rule, and no compliant message refused.
 */
export async function runAbuseHistory(events: readonly Event[], coverage: AbuseCoverage): Promise<void> {
  // One account starts with a limit, so that every history can reach it.
  const accounts = new Map<number, ProtectedAccount>([[1, { ...defaultProtection, recipientPerHour: 2 }]])
  const store = createMemoryCapStore()
  let now = 1_000_000 * minute
  const limiter = createMemoryLimiter(() => now)
  const processes = [0, 1].map(() => {
    const caps = new Caps({ store, findPeriodStart, log: silentLog })
    return {
      caps,
      abuse: createAbuse({ caps, accounts, velocity: { limiter, openBlindIndex: openTestBlindIndex } }),
    }
  })
  const sent: Sent[] = []
  for (const one of events) {
    if (one.kind === 'set') {
      // A new cap counts earlier messages only if its class had a cap, so start a new month.
      accounts.set(one.accountId, one.protection)
      sent.splice(0, sent.length, ...sent.filter(({ accountId }) => accountId !== one.accountId))
      await Promise.all(processes.map(({ caps }) => caps.stop()))
      now += 43_200 * minute
    } else if (one.kind === 'pass') now += one.minutes * minute
    else if (one.kind === 'idle') await Promise.all(processes.map(({ caps }) => caps.stop()))
    else {
      // The other process returns its reservations within a second, here before each send.
      await processes[1 - one.process]!.caps.stop()
      const outcome = await send(processes[one.process]!.abuse, accounts, sent, one, now)
      coverage[outcome] = (coverage[outcome] ?? 0) + 1
    }
  }
  await Promise.all(processes.map(({ caps }) => caps.stop()))
}

async function send(
  abuse: ReturnType<typeof createAbuse>,
  accounts: ReadonlyMap<number, ProtectedAccount>,
  sent: Sent[],
  { accountId, to: nth, text: nthText }: Extract<Event, { kind: 'send' }>,
  now: number,
): Promise<string> {
  const [to, country, isPremium] = recipients[nth]!
  const [text, host] = texts[nthText]!
  const steps: Step[] = [{ channel: to.startsWith('+') ? 'international' : 'sms', from: '0234567890', text }]
  const issues = new Issues('first')
  const context = { accountId, account: defaultAccountTrust, rules, now }
  const held: RuleId[] = []
  abuse.checkDraft!(context, {
    draft: { to, steps },
    getPath: () => '',
    issues,
    hold: (rule) => void held.push(rule),
  })
  const counted =
    issues.first ?? (await abuse.countDraft(context, { to, steps }, (rule) => void held.push(rule)))
  const refused = counted instanceof Problem ? counted : null
  const outcome = refused?.code ?? (held.length > 0 ? 'held' : 'accepted')
  const settings = accounts.get(accountId) ?? defaultProtection
  const subject = { accountId, to, country, at: now }
  const next = { ...subject, isCounted: !isSafe(settings, to) && !isTooFast(settings, sent, subject) }
  const expected = decide(settings, sent, next, host, isPremium)
  assert.equal(outcome, expected, refused?.message)
  if (refused === null) sent.push(next)
  return outcome
}
