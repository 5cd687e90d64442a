import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomes } from '../../../../test/support/carriers/connector.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { acceptedJob, longStep, routeJob, smsStep } from '../../../../test/support/fixtures.ts'
import { accepting, openRunnerFixtures } from '../../../../test/support/pipeline/runner-fixture.ts'
import type { Step, TextStep } from '../../../channels/channel.ts'
import { claimSteps, createClaim } from '../../../records/messages/claim.ts'
import { StepSubmission, toParts } from './submission.ts'

const { database } = await createTestDatabase()
const { createRunnerFixture, released } = openRunnerFixtures(database)

const createSubmission = (step: Step): StepSubmission => {
  const job = routeJob(acceptedJob({ steps: [step] }))
  return new StepSubmission(job, toParts(job, 'message')[0]!)
}

test('the origin code, the files and the mark of an advertisement reach the connector', () => {
  const sms = createSubmission({ ...smsStep, text: '(광고) sale', originCid: '123456789', ttlSeconds: 60 })
  assert.deepEqual([sms.originCid, sms.isAdvertisement, sms.ttlSeconds], ['123456789', true, 60])
  assert.deepEqual(sms.message, { channel: 'sms', content: { text: '(광고) sale' } })

  const file = '20261115000000000C00ABCDEFGHIJKLMNOPQRST'
  const mms = createSubmission({
    channel: 'mms',
    content: { from: '0234567890', text: 'hello', fileKey: [file], originCID: '987654321' },
  })
  assert.equal(mms.originCid, '987654321')
  assert.deepEqual(
    mms.files.map(({ key, use }) => [key, use]),
    [[file, 'MMS']],
  )
  assert.ok(mms.message.channel === 'mms')
  assert.deepEqual([mms.message.content.text, mms.message.content.fileKeys], ['hello', [file]])

  assert.equal(mms.isAdvertisement, false)
})

async function readRows(msgKey: string): Promise<unknown[]> {
  const found = await database.query<object>(
    'select part, parts, outcome, carrier_id as id from attempts where msg_key = $1 order by part',
    [msgKey],
  )
  return found.rows
}

test('a route replaces the sender by the longest calling code, and only of international messages', async () => {
  const options = { senders: { 1: '+12025550123', 1415: '+14155550100', 44: 'Acme' } }
  const { runner, connector } = createRunnerFixture(accepting, { takes: 'message', options })
  for (const [to, step, sender] of [
    ['+12025550188', longStep, '+12025550123'],
    ['+14155550188', longStep, '+14155550100'],
    ['+447700900123', longStep, 'Acme'],
    ['+4915112345678', longStep, longStep.from],
    ['01012345678', smsStep, smsStep.from],
  ] as const) {
    await runner.run('normal', await released({ to, steps: [step] }))
    const { from, given } = connector.submissions.at(-1)!
    assert.deepEqual([from, (given as TextStep).from], [sender, sender], to)
  }
})

test('a message connector gets a long text once, with one claim and one row', async () => {
  const job = await released({ steps: [longStep] })
  const { runner, connector } = createRunnerFixture(() => outcomes.accepted('whole'), { takes: 'message' })
  await runner.run('normal', job)
  const [submission, ...more] = connector.submissions
  assert.deepEqual([more, submission!.part], [[], null])
  assert.deepEqual(submission!.message, { channel: 'international', content: { text: longStep.text } })
  assert.equal(submission!.reference, `${job.msgKey}-1-1-0`)
  assert.deepEqual(await readRows(job.msgKey), [{ part: 0, parts: 2, outcome: 'accepted', id: 'whole' }])
})

test('a message of one part is part 1, however it is submitted', async () => {
  const [whole, inParts] = [await released(), await released()]
  await createRunnerFixture(accepting, { takes: 'message' }).runner.run('normal', whole)
  await createRunnerFixture(accepting, { takes: 'parts' }).runner.run('normal', inParts)
  for (const { msgKey } of [whole, inParts]) {
    const [row, ...more] = (await readRows(msgKey)) as { part: number; parts: number }[]
    assert.deepEqual([row!.part, row!.parts, more], [1, 1, []])
  }
})

test('an incapable recipient is refused without a submission', async () => {
  const [incapable, unknown] = [await released(), await released()]
  const more = (result: 'incapable' | 'unknown') => ({ more: { capability: () => Promise.resolve(result) } })
  const refusing = createRunnerFixture(accepting, more('incapable'))
  await refusing.runner.run('normal', incapable)
  assert.deepEqual([refusing.connector.submissions, refusing.ended[0]!.refused.cause], [[], 'unsupported'])
  const trying = createRunnerFixture(accepting, more('unknown'))
  await trying.runner.run('normal', unknown)
  assert.equal(trying.connector.submissions.length, 1)
})

test('a chosen id is recorded for unknown outcomes, so that receipts match', async () => {
  const more = { carrierIdFor: (reference: string) => `ours-${reference}` }
  const [lost, interrupted] = [await released(), await released()]
  await createRunnerFixture(() => outcomes.unknown(), { more }).runner.run('normal', lost)
  await claimSteps(database, [createClaim(interrupted)])
  await createRunnerFixture(accepting, { more }).runner.run('normal', interrupted)
  for (const { msgKey } of [lost, interrupted])
    assert.deepEqual(await readRows(msgKey), [
      { part: 1, parts: 1, outcome: 'unknown', id: `ours-${msgKey.toLowerCase()}-1-1-1` },
    ])
})
