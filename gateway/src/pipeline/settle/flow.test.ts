import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  acceptedJob,
  readAccountLedger,
  reportCodes,
  sender,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { openPipeline } from '../../../test/support/pipeline/pipeline.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { RichStep } from '../../channels/channel.ts'

const pipeline = await openPipeline()
const { database } = pipeline
await pipeline.addRoute(testRoute('rich', { channels: ['rcs'], protocol: 'sandbox', options: {} }))
await pipeline.addRoute(testRoute('texts', { channels: ['sms'], protocol: 'sandbox', options: {} }))
await pipeline.startWorker()

const rcs: RichStep = {
  channel: 'rcs',
  content: { from: sender, formatId: 'SS000000', content: { standalone: { text: 'hello' } } },
}
const alimtalk: RichStep = {
  channel: 'alimtalk',
  content: { senderKey: 'k', msgType: 'AT', templateCode: 't', text: 'hello' },
}
const [delivered, unsupported, badNumber] = ['01012345678', '01012340023', '01012340008'] as const

for (const [index, [title, to, steps, codes, attempts]] of (
  [
    ['a delivered step ends the flow', delivered, [rcs, smsStep], ['10000'], 1],
    ['a failed step starts the next one', unsupported, [rcs, smsStep], ['33101', '10000'], 2],
    ['a refused step starts the next one', badNumber, [rcs, rcs], ['33003', '33003'], 2],
    [
      'an unserved step is reported and passed over',
      unsupported,
      [rcs, alimtalk, smsStep],
      ['33101', '90000', '10000'],
      2,
    ],
    ['unserved steps end a message', delivered, [alimtalk, alimtalk], ['90000', '90000'], 0],
  ] as const
).entries())
  test(title, async () => {
    const msgKey = await pipeline.send(index + 1, to, ...steps)
    assert.deepEqual(await reportCodes(database, msgKey), codes)
    assert.equal((await pipeline.attemptsOf(msgKey)).length, attempts)
    await pipeline.balances(index + 1, 1)
  })

test('concurrent flows of unserved steps each reach their last step once', async () => {
  const steps = [alimtalk, alimtalk, alimtalk, alimtalk, alimtalk, smsStep]
  const jobs = Array.from({ length: 40 }, () => acceptedJob({ accountId: 14, to: delivered, steps }))
  await Promise.all(jobs.map((job) => pipeline.publish(job)))
  await waitFor('all to close', async () => (await readAccountLedger(database, 14)).final === jobs.length)
  for (const { msgKey } of jobs) assert.equal((await pipeline.attemptsOf(msgKey)).length, 1)
  await pipeline.balances(14, jobs.length)
})
