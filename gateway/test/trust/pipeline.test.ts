/**
 * Random messages through the API, intake, scheduling and dispatch to a recording carrier, on real engines. Between accept and
 * submission senders are blocked, recipients opt out, countries close, a rule is turned on and accounts are blocked. The
 * carrier has exactly what the reference model allows, and the API has refused exactly what it forbids.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSmsc } from '../../../simulator/src/smsc.ts'
import { stopAccount, type Backlog } from '../../src/accounts/stops.ts'
import { openEncryption } from '../../src/platform/encryption/encryption.ts'
import { createAttemptWriter } from '../../src/pipeline/dispatch/attempt-writer.ts'
import { startDispatch } from '../../src/pipeline/dispatch/dispatch.ts'
import { startIntake } from '../../src/pipeline/intake/intake.ts'
import { createReceiptSink } from '../../src/pipeline/receipts/receipts.ts'
import { startOutboxSweep } from '../../src/pipeline/scheduling/outbox-sweep.ts'
import { createOutbox } from '../../src/pipeline/scheduling/outbox.ts'
import { startSettle } from '../../src/pipeline/settle/settle.ts'
import { RouteResultCounter } from '../../src/routes/result-counter.ts'
import { openRules } from '../../src/routes/route.ts'
import { changeProtection, type ProtectedAccount } from '../../src/trust/abuse/protection.ts'
import { changeAccountAdvertising } from '../../src/trust/advertising/accounts.ts'
import { createTrust, type Policy } from '../../src/trust/policy.ts'
import { everyChannel } from '../../src/trust/quiet-hours/choices.ts'
import { setQuietHours } from '../../src/trust/quiet-hours/settings.ts'
import { switchedRules } from '../../src/trust/rules.ts'
import { changeSender } from '../../src/trust/senders/changes.ts'
import { registerSenders } from '../../src/trust/senders/register.ts'
import { setChoices } from '../../src/trust/suppression/changes.ts'
import { setSwitches } from '../../src/trust/switches.ts'
import { testAct } from '../support/act.ts'
import { atEnd } from '../support/cleanup.ts'
import { openPipeline } from '../support/pipeline.ts'
import { joinMembers } from '../support/membership.ts'
import { openPlacing, type Placing } from '../support/placing.ts'
import { createRandom } from '../support/random.ts'
import { sendThroughQueue } from '../support/settle.ts'
import type { TestAccount } from '../support/server.ts'
import { quietLog, testMetrics } from '../support/silent-log.ts'
import { waitFor } from '../support/wait.ts'
import {
  abroadSteps,
  domesticSteps,
  optOut,
  other,
  shop,
  type KnownStep,
  type Recipient,
} from './whole/flows.ts'
import type { AccountState } from './whole/known.ts'
import { Reference } from './whole/reference.ts'

const seed = Number(process.env.POSTERN_TEST_SEED ?? 1)
const random = createRandom(seed)
const messages = 160
const ttlMinutes = 60
/**
 * The time by which rules judge when the test begins, whenever that is: a Monday afternoon in Korea, half an hour before the
 * hours of France begin, and night in New York.
 */
const shiftMs = Date.parse('2026-11-16T06:30:00Z') - Date.now()
const judgedAt = (): number => Date.now() + shiftMs
const act = testAct()
/** They need a code of the operator, and a consent. The last one is turned on later. */
const off = ['origin-code-present', 'origin-code-carried', 'advertisement-consent']
const texts = domesticSteps.filter(({ step }) => step.channel === 'sms')
const abroad = [
  { country: 'US', prefix: '+1202555' },
  { country: 'FR', prefix: '+3361234' },
  { country: 'VN', prefix: '+8491234' },
  { country: 'DE', prefix: '+49151123' },
]

const pipeline = await openPipeline({ stepTtlSeconds: ttlMinutes * 60, judgedAt })
const { database, broker, topology, api } = pipeline
const carrier = await startSmsc({ record: true })
atEnd(() => carrier.close())
await pipeline.addRoute({
  ...{ id: 'texts', channels: ['sms', 'international'], protocol: 'smpp', priority: 100, ...openRules },
  options: { host: '127.0.0.1', port: carrier.port, systemId: 'texts', password: 'x' },
  ...{ partsPerSecond: 0, enabled: true },
})
const encryption = openEncryption({})
const blindIndex = await encryption.blindIndex(database)

const basic = { trust: { kind: 'customer', sandbox: false, originCodes: [] } } as const
const protection: ProtectedAccount = {
  ...{ countries: ['*'], onSuspicion: 'refuse', recipientPerHour: null, prefixPer10Minutes: null },
  ...{ links: 'listed', linkDomains: ['shop.kr'], safeNumbers: [], caps: [] },
}
const advertising = { advertiser: false, names: ['Shop'], optOutNumbers: [optOut] }
const kinds: readonly AccountState[] = [
  { ...basic, advertising, protection: { ...protection, onSuspicion: 'hold' }, night: 'hold' },
  { ...basic, advertising, protection: { ...protection, links: 'any' }, night: 'refuse' },
  { ...basic, advertising, protection, night: 'next-step' },
  { ...basic, advertising: { ...advertising, advertiser: true }, protection, night: 'hold' },
]

interface Sent {
  readonly account: TestAccount
  readonly recipient: Recipient
  readonly flow: readonly KnownStep[]
}

test(`only what the rules allow at the time reaches the carrier (seed ${seed})`, async () => {
  await setSwitches(
    database,
    switchedRules.filter((rule) => !off.includes(rule)),
    true,
    act,
  )
  const states = new Map<number, AccountState>()
  const reference = new Reference(states)
  switchedRules.filter((rule) => !off.includes(rule)).forEach((rule) => reference.rules.add(rule))
  const accounts: TestAccount[] = []
  for (const state of kinds) {
    const account = await api.account()
    accounts.push(account)
    await prepare(account.id, state)
    states.set(account.id, state)
    for (const value of [shop, other])
      reference.registered.push({
        accountId: account.id,
        kind: 'number',
        value,
        state: 'active',
        until: null,
      })
  }
  await api.trust.cache.refresh()

  const sent: Sent[] = []
  let heldForOperator = 0
  for (let n = 0; n < messages; n++) {
    const account = random.pick(accounts)
    const isAbroad = random.below(4) === 0
    const recipient = isAbroad ? foreign(n) : { to: `010${2000 + n}7358`, country: null }
    const flow = Array.from({ length: isAbroad ? 1 : 1 + random.below(3) }, () =>
      random.pick(isAbroad ? abroadSteps : texts),
    )
    reference.now = judgedAt()
    const expected = reference.judgeSend(account.id, recipient, flow, { sendAt: null, ttlMinutes })
    const code = await send(account, recipient.to, flow)
    assert.equal(code === 'A000', expected !== 'refused', `${code} ${JSON.stringify(flow)}`)
    if (expected === 'accepted') sent.push({ account, recipient, flow })
    else if (expected === 'held') heldForOperator++
  }
  assert.ok(
    sent.length > messages / 4 && sent.length < messages,
    `${sent.length} of ${messages} were accepted`,
  )

  await change(reference, accounts, sent)
  const trust = createTrust(database, {}, quietLog, testMetrics(), encryption)
  await trust.cache.start()
  atEnd(() => trust.stop())
  reference.now = judgedAt()
  const expected = sent.map((one) => expectedOf(reference, one))
  const allowed = expected.filter((one) => one !== 'ended' && one !== 'waits')
  const waiting = heldForOperator + expected.filter((one) => one === 'waits').length
  await startStages({ policy: shifted(trust), stopOf: trust.stopOf })
  const count = async (table: 'messages' | 'in_flight'): Promise<number> =>
    (await database.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]!.n
  const accepted = sent.length + heldForOperator
  let state = ''
  await waitFor(
    'everything that does not wait to end',
    async () => {
      state = `${await count('messages')} recorded, ${await count('in_flight')} open`
      return state === `${accepted} recorded, ${waiting} open`
    },
    { timeoutMs: 20_000 },
  ).catch(() => assert.equal(state, `${accepted} recorded, ${waiting} open`))
  const found = carrier.submissions().map(({ to, from }) => `${from} to ${to}`)
  assert.deepEqual(found.sort(), allowed.sort())
  assert.ok(
    allowed.length > 5 && allowed.length < sent.length,
    `${allowed.length} of ${sent.length} submitted`,
  )
})

/** Starts the stages without the jobs of a worker that end the messages of blocked accounts. */
async function startStages(trust: Pick<Placing, 'policy' | 'stopOf'>): Promise<void> {
  const metrics = testMetrics()
  const placing = { ...(await openPlacing(database)), ...trust }
  const resultCounter = new RouteResultCounter()
  const membership = joinMembers(database)
  const stage = { ...placing, resultCounter, broker, topology, database, membership, metrics, log: quietLog }
  const stopping = new AbortController()
  const lifetimes = { stepTtlSeconds: ttlMinutes * 60, retentionDays: 30 }
  const outbox = createOutbox({ ...stage, ...lifetimes, publisher: broker.publisher })
  const sendToSettle = sendThroughQueue(broker.publisher, topology)
  const dispatch = startDispatch(placing.routes, {
    ...stage,
    attemptWriter: createAttemptWriter(database, metrics, quietLog),
    sendToSettle,
    onReceipt: createReceiptSink(sendToSettle, metrics),
  })
  const settle = startSettle({ ...stage, ...lifetimes, outbox, signal: stopping.signal })
  const intake = startIntake({ ...stage, ...lifetimes })
  const sweep = startOutboxSweep({ ...stage, outbox })
  atEnd(async () => {
    stopping.abort()
    await Promise.all([intake.stop(), dispatch.stop()])
    await settle.stop()
    await sweep.stop()
  })
}

/** Judges by `judgedAt`; what it holds waits by the clock of the pipeline. */
function shifted(policy: Policy): Policy {
  return {
    ...policy,
    judgeSubmission(job, route) {
      const denial = policy.judgeSubmission({ ...job, dueAt: job.dueAt + shiftMs }, route, judgedAt())
      return denial?.verdict === 'hold' ? { ...denial, until: denial.until - shiftMs } : denial
    },
  }
}

function foreign(n: number): Recipient {
  const { country, prefix } = random.pick(abroad)
  return { to: `${prefix}${String(n).padStart(3, '0')}`, country }
}

async function prepare(accountId: number, state: AccountState): Promise<void> {
  const proof = { kind: 'operator', reference: 'T-1', issued: null } as const
  await registerSenders(
    database,
    [shop, other].map((value) => ({
      ...{ accountId, kind: 'number' as const, value, state: 'active' as const, proof, validUntil: null },
    })),
    act,
  )
  await changeAccountAdvertising(database, accountId, state.advertising)
  await changeProtection(database, accountId, state.protection)
  const hours = { opensAt: 480, closesAt: 1_250, choice: state.night }
  await setQuietHours(database, accountId, everyChannel, hours)
}

async function send(account: TestAccount, to: string, flow: readonly KnownStep[]): Promise<string> {
  const bodies = flow.map(({ step }) => step as { readonly from: string; readonly text: string })
  if (to.startsWith('+')) {
    const { from, text } = bodies[0]!
    return (await api.call(account, 'POST', '/v1/send/international', { from, to, text })).body.code
  }
  const messageFlow = bodies.map(({ from, text }) => ({ sms: { from, text } }))
  const { body } = await api.call(account, 'POST', '/v1/send/omni', { destinations: [{ to }], messageFlow })
  return (body.data as { destinations: { code: string }[] }).destinations[0]!.code
}

/** After everything was accepted, and before anything is submitted. */
async function change(
  reference: Reference,
  accounts: readonly TestAccount[],
  sent: readonly Sent[],
): Promise<void> {
  const [first, second, third, fourth] = accounts as [TestAccount, TestAccount, TestAccount, TestAccount]
  const blocked = random.pick([first, second])
  const key = { accountId: blocked.id, kind: 'number', value: other } as const
  await changeSender(database, key, { act, to: 'blocked', today: '2026-11-16' })
  reference.registered.push({ ...key, state: 'blocked', until: null })
  for (const { account, recipient } of sent) {
    if (random.below(4) > 0) continue
    const accountId = random.below(3) === 0 ? 0 : account.id
    const why = { state: 'suppressed', source: 'operator', reason: 'test' } as const
    await setChoices(database, blindIndex, accountId, [recipient.to], why)
    reference.choices.set(`${accountId}/${recipient.to}`, { state: 'suppressed', night: false })
  }
  const before = reference.accounts.get(second.id)!
  await changeProtection(database, second.id, { countries: ['FR'] })
  ;(reference.accounts as Map<number, AccountState>).set(second.id, {
    ...{ ...before, protection: { ...before.protection, countries: ['FR'] } },
  })
  if (random.below(2) === 0) {
    await setSwitches(database, ['advertisement-consent'], true, act)
    reference.rules.add('advertisement-consent')
  }
  for (const [account, backlog] of [
    [third, 'close'],
    [fourth, 'hold'],
  ] as const satisfies readonly (readonly [TestAccount, Backlog])[]) {
    await stopAccount(database, account.clientId, act, { backlog })
    reference.blocked.set(account.id, backlog)
  }
}

/** The step that reaches the carrier; `waits`: for the morning, or the end of a block. */
function expectedOf(reference: Reference, { account, recipient, flow }: Sent): string {
  const dueAt = reference.now + ttlMinutes * 60_000
  for (const known of flow) {
    const verdict = reference.judgeSubmission(account.id, recipient, known, {
      ...{ at: reference.now, dueAt, isSandbox: false },
    })
    const { from } = known.step as { readonly from: string }
    if (verdict === 'submit') return `${from} to ${recipient.to.replace('+', '')}`
    // What a block closes is put aside here; a whole worker ends it (roles/account-block.test.ts).
    if ('heldUntil' in verdict || verdict.failsBy === 'account-stopped') return 'waits'
  }
  return 'ended'
}
