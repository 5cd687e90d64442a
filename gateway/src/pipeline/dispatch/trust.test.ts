/**
 * A message that was accepted before its sender was blocked is not submitted: it fails within two seconds of the block, and
 * takes none of the route's rate from others.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAct } from '../../../test/support/act.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { allowEverything } from '../../../test/support/policy.ts'
import { accepting, openRunnerFixtures } from '../../../test/support/runner-fixture.ts'
import { countOf, quietLog } from '../../../test/support/silent-log.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import { channels } from '../../channels/registry.ts'
import type { StepJob } from '../../jobs/jobs.ts'
import { clock } from '../../platform/clock.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { changeAccountAdvertising } from '../../trust/advertising/accounts.ts'
import { createTrust } from '../../trust/policy.ts'
import type { Denial } from '../../trust/rule-group.ts'
import { changeSender } from '../../trust/senders/changes.ts'
import { registerSenders } from '../../trust/senders/register.ts'
import { setSwitches } from '../../trust/switches.ts'

const { database } = await createTestDatabase()
const { createRunnerFixture, released, releasedMany, recorded, stateOf, metrics } =
  openRunnerFixtures(database)
const accountId = await createAccount(database, 'shop-1', {})
const act = testAct()
const key = { accountId, kind: 'number', value: '0234567890' } as const
const proof = { kind: 'operator', reference: 'T-1', issued: null } as const
await setSwitches(database, ['sender-number-registered'], true, act)
await registerSenders(database, [{ ...key, state: 'active', proof, validUntil: null }], act)
const trust = createTrust(database, {}, quietLog, metrics, openEncryption({}))
await trust.cache.start()
atEnd(() => trust.cache.stop())
const steps = [{ channel: 'sms', from: key.value, text: 'hello' }] as const

test('a registered sender submits; after its block nothing more, within two seconds', async () => {
  const { runner, connector, ended } = createRunnerFixture(accepting, { policy: trust })
  await runner.run('normal', await released({ accountId, steps }))
  assert.equal(connector.submissions.length, 1)

  // Before the block: a message that is newer than what this process has read would wait.
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
  // It was claimed, so that what a previous owner may have submitted is not overlooked, and recorded as refused.
  assert.deepEqual(await recorded(job.msgKey), ['refused'])
  assert.ok((await countOf(metrics.trustDenials, { rule: 'sender-not-blocked' })) >= 2)
})

test('a message of a sender that this process has not read yet waits for it, and is not failed', async () => {
  const own = createTrust(database, {}, quietLog, metrics, openEncryption({}))
  await own.cache.refresh()
  const added = { ...key, value: '0245678901' }
  await registerSenders(database, [{ ...added, state: 'active', proof, validUntil: null }], act)
  // The process that accepted it has read the registration already.
  const { runner, connector, ended, returned } = createRunnerFixture(accepting, { policy: own })
  const job = await released({ accountId, steps: [{ ...steps[0], from: added.value }] })
  await runner.run('normal', job)
  assert.deepEqual([connector.submissions.length, ended.length, returned.length], [0, 0, 1])
  const { how } = returned[0]!
  assert.ok(how.kind === 'later' && how.afterMs > 0 && how.afterMs <= 2_000)

  await own.cache.refresh()
  await runner.run('normal', job)
  assert.deepEqual([connector.submissions.length, ended.length], [1, 0])
})

test('a message whose sender is unknown to a later reading, too, is failed', async () => {
  const own = createTrust(database, {}, quietLog, metrics, openEncryption({}))
  const { runner, ended } = createRunnerFixture(accepting, { policy: own })
  const job = await released({ accountId, steps: [{ ...steps[0], from: '0256789012' }] })
  await waitFor('a reading after the message was accepted', async () => {
    await own.cache.refresh()
    await runner.run('normal', job)
    return ended.length === 1
  })
  assert.equal(ended[0]!.refused.cause, 'unregistered-sender')
})

test('an advertisement that waited while its number for opting out was removed is failed, one of a number that was not read yet waits', async () => {
  await setSwitches(database, ['advertisement-opt-out-registered'], true, act)
  const advertiser = await createAccount(database, 'shop-2', {})
  await changeAccountAdvertising(database, advertiser, { optOutNumbers: ['0801234567'] })
  await registerSenders(
    database,
    [{ ...key, accountId: advertiser, value: '0267890123', state: 'active', proof, validUntil: null }],
    act,
  )
  const own = createTrust(database, {}, quietLog, metrics, openEncryption({}))
  await own.cache.refresh()
  const { runner, connector, ended, returned } = createRunnerFixture(accepting, { policy: own })
  const ad = (number: string, acceptedAt: number) =>
    released({
      ...{ accountId: advertiser, acceptedAt },
      steps: [{ channel: 'sms', from: '0267890123', text: `(광고)Shop\n무료거부 ${number}` }],
    })
  const scheduled = await ad('080-123-4567', clock.now() - 60_000)
  await runner.run('normal', await ad('080-123-4567', clock.now() - 60_000))
  assert.equal(connector.submissions.length, 1)

  await changeAccountAdvertising(database, advertiser, { optOutNumbers: ['0809999999'] })
  const fresh = await ad('080-999-9999', clock.now())
  await runner.run('normal', fresh)
  assert.deepEqual([connector.submissions.length, ended.length, returned.length], [1, 0, 1])
  await own.cache.refresh()
  await runner.run('normal', fresh)
  await runner.run('normal', scheduled)
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
  const policy = { ...allowEverything, judgeSubmission: () => hold }
  const { runner, connector, returned } = createRunnerFixture(accepting, { policy })
  const job = await released({ accountId, steps })
  await runner.run('normal', job)
  assert.equal(connector.submissions.length, 0)
  const how = returned[0]!.how
  assert.ok(how.kind === 'later' && how.afterMs > 55_000 && how.afterMs <= 60_000)
  assert.equal(how.rule, 'sender-number-registered')
  assert.equal(await stateOf(job.msgKey), 'unclaimed')
})

test('what a previous owner may have submitted is not repeated after the block, nor overlooked', async () => {
  const crashed = createRunnerFixture(() => new Promise(() => undefined), { repeatable: true })
  const job = await released({ accountId, steps, acceptedAt: clock.now() - 2_000 })
  void crashed.runner.run('normal', job)
  await waitFor('the submission', () => crashed.connector.submissions.length === 1)
  const { runner, connector, ended } = createRunnerFixture(accepting, { policy: trust, repeatable: true })
  await runner.run('normal', job)
  assert.deepEqual([connector.submissions.length, ended.length], [0, 0])
  assert.deepEqual(await recorded(job.msgKey), ['unknown'])
})

const denial: Denial = {
  ...{ verdict: 'fail', rule: 'sender-number-registered', cause: 'unregistered-sender' },
  text: 'from is blocked for the account',
}

test('a thousand steps that a rule stops take none of the rate of a route of 10 a second', async () => {
  const policy = {
    ...allowEverything,
    judgeSubmission: (job: StepJob) => (job.accountId === accountId ? denial : null),
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
  // 0.2 s on a quiet machine: its claim waits for a thousand others.
  assertWithin('the step of the other account', performance.now() - began, 5_000)
  await Promise.all(running)
  assert.equal(ended.length, 1_000)
  // At the rate of the route they would take 100 s.
  assertWithin('the stopped steps', performance.now() - began, 20_000)
})

test('steps that are stopped while they wait for their turn return what they took of the rate', async () => {
  let isBlocked = false
  const policy = { ...allowEverything, judgeSubmission: () => (isBlocked ? denial : null) }
  const { runner, ended } = createRunnerFixture(accepting, { policy, partsPerSecond: 1 })
  const running = (await releasedMany(40, { accountId })).map((job) => runner.run('normal', job))
  isBlocked = true
  const began = performance.now()
  await Promise.all(running)
  assert.ok(ended.length >= 38)
  assertWithin('the stopped steps', performance.now() - began, 10_000)
})
