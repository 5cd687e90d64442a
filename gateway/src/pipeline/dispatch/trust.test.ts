/**
 * A message that was accepted before its sender was blocked is not submitted: it fails within two seconds of the block, and
 * takes none of the route's rate from others.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { allowEverything } from '../../../test/support/policy.ts'
import { accepting, openRunnerFixtures } from '../../../test/support/pipeline/runner-fixture.ts'
import { sumCounter, silentLog } from '../../../test/support/silent-log.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import { channels } from '../../channels/registry.ts'
import type { StepJob } from '../../jobs/jobs.ts'
import { clock } from '../../platform/time/clock.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { changeAccountAdvertising } from '../../trust/advertising/accounts.ts'
import { createTrust } from '../../trust/policy.ts'
import type { RuleDecision } from '../../trust/rule-group.ts'
import { changeSender } from '../../trust/senders/changes.ts'
import { registerSenders } from '../../trust/senders/register.ts'
import { setSwitches } from '../../trust/switches.ts'

const { database } = await createTestDatabase()
const { createRunnerFixture, released, releasedMany, recorded, stateOf, metrics } =
  openRunnerFixtures(database)
const accountId = await createAccount(database, 'shop-1', {})
const act = createTestAuditContext()
const key = { accountId, kind: 'number', value: '0234567890' } as const
const proof = { kind: 'operator', reference: 'T-1', issued: null } as const
await setSwitches(database, ['sender-number-registered'], true, act)
await registerSenders(database, [{ ...key, state: 'active', proof, validUntil: null }], act)
const trust = createTrust(database, {}, silentLog, metrics, openEncryption({}))
await trust.cache.start()
addCleanup(() => trust.cache.stop())
const steps = [{ channel: 'sms', from: key.value, text: 'hello' }] as const

test('a sender submits until two seconds after its block at most', async () => {
  const { runner, connector, ended } = createRunnerFixture(accepting, { policy: trust })
  await runner.run('normal', await released({ accountId, steps }))
  assert.equal(connector.submissions.length, 1)

  // Sent before the block, because a message newer than the last reading would wait.
  const accepted = { accountId, steps, acceptedAt: clock.now() - 2_000 }
  const began = performance.now()
  await changeSender(database, key, { act, to: 'blocked', today: '2026-11-16' })
  await waitFor('the block to take effect', async () => {
    await runner.run('normal', await released(accepted))
    return ended.length > 0
  })
  assertWithin('the block', performance.now() - began, 2_000)
  const before = connector.submissions.length

  const job = await released(accepted)
  await runner.run('normal', job)
  assert.equal(connector.submissions.length, before)
  const refused = ended.at(-1)!.refused
  assert.equal(refused.cause, 'unregistered-sender')
  // The step was claimed, so a submission of a previous owner would not be overlooked, and recorded as
  // refused.
  assert.deepEqual(await recorded(job.msgKey), ['refused'])
  assert.ok((await sumCounter(metrics.trustDenials, { rule: 'sender-not-blocked' })) >= 2)
})

test('a message of a sender that this process has not read yet waits for it, and is not failed', async () => {
  const processTrust = createTrust(database, {}, silentLog, metrics, openEncryption({}))
  await processTrust.cache.refresh()
  const added = { ...key, value: '0245678901' }
  await registerSenders(database, [{ ...added, state: 'active', proof, validUntil: null }], act)
  // The process that accepted it has read the registration already.
  const { runner, connector, ended, returned } = createRunnerFixture(accepting, { policy: processTrust })
  const job = await released({ accountId, steps: [{ ...steps[0], from: added.value }] })
  await runner.run('normal', job)
  assert.deepEqual([connector.submissions.length, ended.length, returned.length], [0, 0, 1])
  const { how } = returned[0]!
  assert.ok(how.kind === 'later' && how.afterMs > 0 && how.afterMs <= 2_000)

  await processTrust.cache.refresh()
  await runner.run('normal', job)
  assert.deepEqual([connector.submissions.length, ended.length], [1, 0])
})

test('a message whose sender stays unknown fails', async () => {
  const processTrust = createTrust(database, {}, silentLog, metrics, openEncryption({}))
  const { runner, ended } = createRunnerFixture(accepting, { policy: processTrust })
  const job = await released({ accountId, steps: [{ ...steps[0], from: '0256789012' }] })
  await waitFor('a reading after the message was accepted', async () => {
    await processTrust.cache.refresh()
    await runner.run('normal', job)
    return ended.length === 1
  })
  assert.equal(ended[0]!.refused.cause, 'unregistered-sender')
})

test('an advertisement fails without its opt-out number and waits if that is unread', async () => {
  await setSwitches(database, ['advertisement-opt-out-registered'], true, act)
  const advertiser = await createAccount(database, 'shop-2', {})
  await changeAccountAdvertising(database, advertiser, { optOutNumbers: ['0801234567'] })
  await registerSenders(
    database,
    [{ ...key, accountId: advertiser, value: '0267890123', state: 'active', proof, validUntil: null }],
    act,
  )
  const processTrust = createTrust(database, {}, silentLog, metrics, openEncryption({}))
  await processTrust.cache.refresh()
  const { runner, connector, ended, returned } = createRunnerFixture(accepting, { policy: processTrust })
  const ad = (number: string, acceptedAt: number) =>
    released({
      accountId: advertiser,
      acceptedAt,
      steps: [{ channel: 'sms', from: '0267890123', text: `(광고)Shop\n무료거부 ${number}` }],
    })
  const waiting = await ad('080-123-4567', clock.now() - 60_000)
  await runner.run('normal', await ad('080-123-4567', clock.now() - 60_000))
  assert.equal(connector.submissions.length, 1)

  await changeAccountAdvertising(database, advertiser, { optOutNumbers: ['0809999999'] })
  const fresh = await ad('080-999-9999', clock.now())
  await runner.run('normal', fresh)
  assert.deepEqual([connector.submissions.length, ended.length, returned.length], [1, 0, 1])
  await processTrust.cache.refresh()
  await runner.run('normal', fresh)
  await runner.run('normal', waiting)
  assert.equal(connector.submissions.length, 2)
  assert.deepEqual(
    ended.map(({ refused }) => refused.cause),
    ['advertisement-form'],
  )
})

test('the report code is that of the channel', () => {
  const codes = (['sms', 'mms', 'rcs', 'alimtalk'] as const).map(
    (name) => channels[name].reportCode('unregistered-sender').code,
  )
  assert.deepEqual(codes, ['23023', '23023', '33023', '61003'])
  assert.deepEqual(
    (['sms', 'rcs'] as const).map((name) => channels[name].reportCode('origin-code').code),
    ['23036', '33036'],
  )
})

test('a step that a rule holds waits until its time, unclaimed', async () => {
  const until = clock.now() + 60_000
  const hold = { verdict: 'hold', rule: 'sender-number-registered', until } as const
  const policy = { ...allowEverything, checkSubmission: () => hold }
  const { runner, connector, returned } = createRunnerFixture(accepting, { policy })
  const job = await released({ accountId, steps })
  await runner.run('normal', job)
  assert.equal(connector.submissions.length, 0)
  const how = returned[0]!.how
  assert.ok(how.kind === 'later' && how.afterMs > 55_000 && how.afterMs <= 60_000)
  assert.equal(how.rule, 'sender-number-registered')
  assert.equal(await stateOf(job.msgKey), 'unclaimed')
})

test('a possible submission of a previous owner is neither repeated nor overlooked after the block', async () => {
  const crashed = createRunnerFixture(() => new Promise(() => undefined), { repeatable: true })
  const job = await released({ accountId, steps, acceptedAt: clock.now() - 2_000 })
  void crashed.runner.run('normal', job)
  await waitFor('the submission', () => crashed.connector.submissions.length === 1)
  const { runner, connector, ended } = createRunnerFixture(accepting, { policy: trust, repeatable: true })
  await runner.run('normal', job)
  assert.deepEqual([connector.submissions.length, ended.length], [0, 0])
  assert.deepEqual(await recorded(job.msgKey), ['unknown'])
})

const denial: RuleDecision = {
  verdict: 'fail',
  rule: 'sender-number-registered',
  cause: 'unregistered-sender',
  text: 'from is blocked for the account',
}

test('a thousand stopped steps use none of a rate of 10 per second', async () => {
  const policy = {
    ...allowEverything,
    checkSubmission: (job: StepJob) => (job.accountId === accountId ? denial : null),
  }
  const { runner, connector, ended } = createRunnerFixture(accepting, { policy, partsPerSecond: 10 })
  const [stopped, [other]] = [
    await releasedMany(1_000, { accountId }),
    await releasedMany(1, { accountId: 2 }),
  ]
  const began = performance.now()
  const running = stopped.map((job) => runner.run('normal', job))
  await runner.run('normal', other!)
  assert.equal(connector.submissions.length, 1)
  // Its claim waits for those of a thousand others.
  assertWithin('the step of the other account', performance.now() - began, 5_000)
  await Promise.all(running)
  assert.equal(ended.length, 1_000)
  // The rate of the route would need 100 s for them.
  assertWithin('the stopped steps', performance.now() - began, 20_000)
})

test('steps stopped while waiting for their turn give their rate back', async () => {
  let isBlocked = false
  const policy = { ...allowEverything, checkSubmission: () => (isBlocked ? denial : null) }
  const { runner, ended } = createRunnerFixture(accepting, { policy, partsPerSecond: 1 })
  const running = (await releasedMany(40, { accountId })).map((job) => runner.run('normal', job))
  isBlocked = true
  const began = performance.now()
  await Promise.all(running)
  assert.ok(ended.length >= 38)
  assertWithin('the stopped steps', performance.now() - began, 10_000)
})
