import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKakaoPeer } from '../../../test/contract/connector-conformance/kakao-peer.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { reportCodes, smsStep } from '../../../test/support/fixtures.ts'
import { alimtalk, senderKey } from '../../../test/support/carriers/kakao-messages.ts'
import { openPipeline } from '../../../test/support/pipeline/pipeline.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { waitFor } from '../../../test/support/wait.ts'

const peer = await openKakaoPeer('polling')
addCleanup(() => peer.close())
const pipeline = await openPipeline()
const options = { ...peer.options, results: { AT: 'push', AI: 'polling' } }
await pipeline.addRoute(
  testRoute('kakao', { channels: ['alimtalk', 'friendtalk'], protocol: 'kakao', options }),
)
await pipeline.addRoute(testRoute('sms', { protocol: 'sandbox', options: {} }))
await pipeline.startWorker()

const send = (msgType: 'AT' | 'AI'): Promise<string> =>
  pipeline.send(1, '01012345678', { channel: 'alimtalk', content: { ...alimtalk, msgType } }, smsStep)

test('a push response delivers without a fallback, and an extra result changes nothing', async () => {
  const pushed = await send('AT')
  const closing = send('AI')
  await waitFor('both submissions', () => peer.sends.length === 2)
  const [extra, polled] = peer.sends.map((body) => ({ serial_number: body['serial_number'], status: '3018' }))
  // One batch, so the extra result is stored before the message with the polled result closes.
  assert.equal(await peer.offer({ success: [{ ...polled, status: '0000' }], fail: [extra] }), true)
  for (const msgKey of [pushed, await closing]) {
    assert.deepEqual(await reportCodes(pipeline.database, msgKey), ['10000'])
    assert.deepEqual(await pipeline.attemptsOf(msgKey), ['1 kakao accepted 0000'])
  }
  assert.deepEqual(
    peer.sends.map((body) => body['response_method']),
    ['push', 'polling'],
  )
  await pipeline.balances(1, 2)
})

test('a refused friendtalk starts the next step of its flow', async () => {
  const content = { senderKey, msgType: 'FT', text: '안녕하세요' }
  const msgKey = await pipeline.send(1, '01012345678', { channel: 'friendtalk', content }, smsStep)
  assert.deepEqual(await reportCodes(pipeline.database, msgKey), ['69999', '10000'])
  assert.deepEqual(await pipeline.attemptsOf(msgKey), [
    '1 kakao refused kakao:friendtalk-ended',
    '1 sms accepted sandbox:delivered',
  ])
})
