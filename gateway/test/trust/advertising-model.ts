/**
 * The rules on the hours and recipients of advertisements against a second, plain statement of them: random accounts,
 * choices, clocks and flows go through the policy as accept and dispatch ask it. No advertisement is submitted at night or
 * to a recipient who opted out, and nothing that complies is refused. Run by `property.test.ts` and `npm run trust:property`.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Step } from '../../src/channels/channel.ts'
import { Issues } from '../../src/channels/issues.ts'
import { createSecretKey } from 'node:crypto'
import { createBlindIndex } from '../../src/platform/encryption/blind-index.ts'
import type { RouteShare } from '../../src/routes/shares.ts'
import { AdvertisingAccounts } from '../../src/trust/advertising/accounts.ts'
import { createPolicy } from '../../src/trust/policy.ts'
import { createQuietHours } from '../../src/trust/quiet-hours/quiet-hours.ts'
import { everyChannel, nightChoices } from '../../src/trust/quiet-hours/choices.ts'
import { QuietHoursTable } from '../../src/trust/quiet-hours/settings.ts'
import type { RuleId } from '../../src/trust/rules.ts'
import { ChoiceIndex, keyOf } from '../../src/trust/suppression/choice-index.ts'
import { choiceStates, everyAccount, type Choice } from '../../src/trust/suppression/choice.ts'
import { createSuppression } from '../../src/trust/suppression/suppression.ts'
import { acceptedJob, routeJob } from '../support/fixtures.ts'

const recipients = ['01012345678', '01087654321']
const ad: Step = { channel: 'sms', from: '0234567890', text: '(광고)Shop' }
const notice: Step = { channel: 'sms', from: '0234567890', text: 'hello' }
const friendtalk: Step = { channel: 'friendtalk', content: {} }
const steps: readonly Step[] = [ad, notice, friendtalk]

const event = fc.oneof(
  fc.record({
    kind: fc.constant('choose' as const),
    accountId: fc.constantFrom(everyAccount, 1, 2, 3),
    to: fc.constantFrom(...recipients),
    state: fc.constantFrom(...choiceStates),
    night: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('rule' as const),
    rule: fc.constantFrom<RuleId>('advertisement-quiet-hours', 'advertisement-consent'),
    on: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 900 }) }),
  fc.record({
    kind: fc.constant('send' as const),
    // The account number is the index of its choice for the night, plus one.
    accountId: fc.constantFrom(1, 2, 3),
    to: fc.constantFrom(...recipients),
    flow: fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 3 }),
    ttlMinutes: fc.constantFrom(60, 1_440),
  }),
)
export const advertisingHistory = fc.array(event, { minLength: 10, maxLength: 60 })

/** Counts of verdicts, so that a run does not pass because nothing happened. */
export type AdvertisingCoverage = Record<string, number>

const blindIndex = createBlindIndex(createSecretKey(Buffer.alloc(32, 7)))
const route = { protocol: 'sandbox' } as RouteShare
const isAd = (step: Step): boolean => step !== notice

export function runAdvertisingHistory(
  events: readonly (typeof event extends fc.Arbitrary<infer Event> ? Event : never)[],
  coverage: AdvertisingCoverage,
): void {
  const accounts = new AdvertisingAccounts()
  const index = new ChoiceIndex(blindIndex)
  const table = new QuietHoursTable(
    nightChoices.map((choice, nth) => ({
      ...{ accountId: nth + 1, clientId: null, channel: everyChannel, opensAt: 480, closesAt: 1_250, choice },
    })),
  )
  const groups = [
    createSuppression({ accounts, index, openBlindIndex: () => Promise.resolve(blindIndex) }),
    createQuietHours({ accounts, table, allowsNight: (id, to) => index.allowsNight(id, to) }, {}),
  ]
  const rules = new Set<RuleId>()
  const policy = createPolicy({ groups, state: () => ({ rules, accounts: new Map() }) })
  const chosen = new Map<string, Choice>()
  let now = Date.parse('2026-11-16T10:00:00Z')
  const count = (what: string): void => void (coverage[what] = (coverage[what] ?? 0) + 1)

  for (const one of events) {
    if (one.kind === 'choose') {
      const { accountId, to, state, night } = one
      chosen.set(`${accountId}/${to}`, { state, night })
      index.put(accountId, keyOf(blindIndex, accountId, to), state, night)
    } else if (one.kind === 'rule') {
      if (one.on) rules.add(one.rule)
      else rules.delete(one.rule)
    } else if (one.kind === 'pass') now += one.minutes * 60_000
    else send(one)
  }

  function send({
    accountId,
    to,
    flow,
    ttlMinutes,
  }: Extract<(typeof events)[number], { kind: 'send' }>): void {
    const own = chosen.get(`${accountId}/${to}`)
    const wanted =
      own?.state !== 'suppressed' &&
      chosen.get(`${everyAccount}/${to}`)?.state !== 'suppressed' &&
      (own?.state === 'agreed' || !rules.has('advertisement-consent'))
    // As a person reads a clock in Seoul.
    const clock = new Date(now + 9 * 3_600_000).toISOString().slice(11, 16)
    const isNight =
      rules.has('advertisement-quiet-hours') &&
      (clock >= '20:50' || clock < '08:00') &&
      !(own?.state === 'agreed' && own.night)
    const choice = nightChoices[accountId - 1]!
    const morning = new Date(now + 9 * 3_600_000)
    if (clock >= '08:00') morning.setUTCDate(morning.getUTCDate() + 1)
    morning.setUTCHours(8, 0, 0, 0)
    const until = morning.getTime() - 9 * 3_600_000
    const waits = choice === 'hold' && until < now + ttlMinutes * 60_000

    const given = flow.map((step) => ({ ...step, ttlSeconds: ttlMinutes * 60 }))
    const issues = new Issues('first')
    policy.judgeDraft(accountId, { draft: { to, steps: given }, placeOf: () => '', issues }, now)
    const hasAd = flow.some(isAd)
    const nightAllows =
      !isNight ||
      !isAd(flow[0]!) ||
      waits ||
      (choice !== 'refuse' && flow.slice(1).some((step) => !isAd(step)))
    assert.equal(issues.first === undefined, (!hasAd || wanted) && nightAllows, issues.first?.message)
    count(issues.first?.code ?? 'accepted')

    for (const step of flow) {
      const job = routeJob(acceptedJob({ accountId, to, steps: [step] }))
      const denial = policy.judgeSubmission({ ...job, dueAt: now + ttlMinutes * 60_000 }, route, now)
      const expected = !isAd(step)
        ? 'submit'
        : !wanted
          ? 'suppressed'
          : !isNight
            ? 'submit'
            : waits
              ? 'hold'
              : 'night'
      const found =
        denial === null
          ? 'submit'
          : denial.verdict === 'hold'
            ? 'hold'
            : denial.cause === 'suppressed'
              ? 'suppressed'
              : 'night'
      assert.equal(found, expected)
      if (denial?.verdict === 'hold') assert.equal(denial.until, until)
      count(found)
    }
  }
}
