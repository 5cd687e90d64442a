import assert from 'node:assert/strict'
import { Issues } from '../../../../src/channels/issues.ts'
import { Problem } from '../../../../src/contract/problem.ts'
import { getAccountContext } from '../../../../src/trust/cache.ts'
import type { RuleId } from '../../../../src/trust/rules.ts'
import { toRecipientKey } from '../../../../src/trust/suppression/store.ts'
import { acceptedJob, routeJob } from '../../../support/fixtures.ts'
import { accountIds, type HistoryEvent, type Setup } from './events.ts'
import { registrable, type KnownStep, type KnownRecipient } from './flows.ts'
import type { KnownRegistration, ExpectedDecision } from './known.ts'
import { minute } from './reference.ts'
import { blindIndex, createPolicyAndReference } from './world.ts'
import { modelRoutes } from '../routes.ts'

const anyJob = routeJob(acceptedJob())

/** Accepted message with an unfinished flow. */
interface Open {
  readonly accountId: number
  readonly recipient: KnownRecipient
  readonly ttlMinutes: number
  steps: readonly KnownStep[]
  sendAt: number
  dueAt: number
  isHeld: boolean
}

/** Number of cases by outcome, so that a run without some outcomes does not pass. */
export type WholeCoverage = Record<string, number>

/**
 * Runs a history over all rules: messages are accepted, time passes, settings change, and steps are submitted
 * later, with the policy used like in accept and dispatch. Every decision and its time must match the
 * reference model.
 */
export async function runWholeHistory(
  { setup, events }: { readonly setup: Setup; readonly events: readonly HistoryEvent[] },
  coverage: WholeCoverage,
): Promise<void> {
  const { accounts, reference, data, advertising, protections, abuse, caps, policy, readTrust } =
    createPolicyAndReference(setup)
  const waiting: Open[] = []
  const count = (outcome: string): void => void (coverage[outcome] = (coverage[outcome] ?? 0) + 1)

  function register(one: KnownRegistration): void {
    reference.registered.push(one)
    const { until, ...rest } = one
    data.senders.apply({
      version: '1',
      senders: [{ ...rest, validUntil: until === null ? null : new Date(until), createdAt: new Date(0) }],
    })
  }

  async function send(one: Extract<HistoryEvent, { kind: 'send' }>): Promise<void> {
    const { accountId, recipient, flow, sendIn, ttlMinutes } = one
    // Requests of a blocked account are rejected earlier.
    if (reference.blocked.has(accountId)) return
    const { to } = recipient
    const { now } = reference
    const sendAt = sendIn === null ? null : now + sendIn * minute
    const steps = flow.map(({ step }) => ({ ...step, ttlSeconds: ttlMinutes * 60 }))
    const expected = reference.decideSend(accountId, recipient, flow, { sendAt, ttlMinutes })
    const issues = new Issues('first')
    const held: RuleId[] = []
    const draft = { to, steps, ...(sendAt === null ? {} : { sendAt }) }
    policy.checkDraft(
      accountId,
      { draft, getPath: () => '', issues, hold: (rule) => void held.push(rule) },
      now,
    )
    const context = getAccountContext(readTrust(), accountId, now)
    const counted = issues.first ?? (await abuse.countDraft(context, draft, (rule) => void held.push(rule)))
    const refused = counted instanceof Problem ? counted : null
    assert.equal(
      refused !== null ? 'refused' : held.length > 0 ? 'held' : 'accepted',
      expected,
      refused?.message,
    )
    count(refused?.code ?? expected)
    if (refused !== null) return
    reference.accepted.push(reference.toAccepted(accountId, recipient, flow))
    const begins = sendAt ?? now
    waiting.push({
      accountId,
      recipient,
      ttlMinutes,
      steps: flow,
      sendAt: begins,
      dueAt: begins + ttlMinutes * minute,
      isHeld: held.length > 0,
    })
  }

  /** Starts the next step after a step without delivery. */
  function advance(open: Open): void {
    open.steps = open.steps.slice(1)
    open.dueAt = reference.now + open.ttlMinutes * minute
    if (open.steps.length === 0) waiting.splice(waiting.indexOf(open), 1)
  }

  function submit({ nth, protocol, skewSeconds }: Extract<HistoryEvent, { kind: 'submit' }>): void {
    const open = waiting[nth % Math.max(1, waiting.length)]
    if (open === undefined || open.isHeld || reference.now < open.sendAt) return
    if (reference.now >= open.dueAt) {
      count('expired')
      return advance(open)
    }
    const { accountId, recipient, dueAt } = open
    const known = open.steps[0]!
    const { step } = known
    const route = modelRoutes[protocol]
    const isAllowed = reference.isRouteAllowed(accountId, known, protocol)
    const request = { accountId, channel: step.channel, to: recipient.to, msgKey: '', step }
    assert.equal(policy.isRouteAllowed(request, route), isAllowed)
    if (!isAllowed) return
    const at = reference.now + skewSeconds * 1_000
    const expected = reference.decideSubmission(accountId, recipient, known, {
      at,
      dueAt,
      isSandbox: protocol === 'sandbox',
    })
    const job = { ...anyJob, accountId, to: recipient.to, content: step, dueAt }
    const denial = policy.checkSubmission(job, route, at)
    const found: ExpectedDecision =
      denial === null
        ? 'submit'
        : denial.verdict === 'fail'
          ? { failsBy: denial.cause }
          : { heldUntil: denial.until, by: denial.rule === 'account-stopped' ? 'account-stopped' : 'night' }
    assert.deepEqual(found, expected)
    if (found === 'submit') {
      count('submitted')
      waiting.splice(waiting.indexOf(open), 1)
    } else if ('failsBy' in found) {
      count(found.failsBy)
      advance(open)
    } else count(`held by ${found.by}`)
  }

  if (setup.isRegistered)
    for (const accountId of accountIds)
      for (const [kind, value] of registrable)
        register({ accountId, kind, value, state: 'active', until: null })
  for (const one of events) {
    if (one.kind === 'send') await send(one)
    else if (one.kind === 'submit') submit(one)
    else if (one.kind === 'pass') reference.now += one.seconds * 1_000
    else if (one.kind === 'register') {
      const { accountId, state: to, validMinutes } = one
      const [kind, value] = one.sender
      const until = validMinutes === null ? null : reference.now + validMinutes * minute
      register({ accountId, kind, value, state: to, until })
    } else if (one.kind === 'choose') {
      const { accountId, state: chosen, night } = one
      const { to } = one.recipient
      reference.choices.set(`${accountId}/${to}`, { state: chosen, night })
      data.choices.put({
        accountId,
        recipient: toRecipientKey(blindIndex, accountId, to),
        state: chosen,
        night,
      })
    } else if (one.kind === 'rule') {
      if (one.on) reference.rules.add(one.rule)
      else reference.rules.delete(one.rule)
    } else if (one.kind === 'block') {
      if (one.backlog === null) reference.blocked.delete(one.accountId)
      else reference.blocked.set(one.accountId, one.backlog)
    } else if (one.kind === 'countries') {
      const before = accounts.get(one.accountId)!
      const protection = { ...before.protection, countries: one.countries }
      accounts.set(one.accountId, { ...before, protection })
      protections.set(one.accountId, protection)
    } else if (one.kind === 'advertising') {
      accounts.set(one.accountId, { ...accounts.get(one.accountId)!, advertising: one.advertising })
      advertising.set(one.accountId, one.advertising)
    } else {
      const open = waiting.filter(({ isHeld }) => isHeld)[one.nth]
      if (open !== undefined && one.sends) open.isHeld = false
      else if (open !== undefined) waiting.splice(waiting.indexOf(open), 1)
    }
  }
  await caps.stop()
}
