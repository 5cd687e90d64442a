/** Tests the fallback of an RCS send. Byte limits count EUC-KR: two bytes per syllable. */
import assert from 'node:assert/strict'
import {
  assertAccepted,
  uploadMmsImage,
  nextRecipient,
  assertRejected,
  waitForReports,
} from '../api-assertions.ts'
import { waitForSteps, findSubmittedContent } from '../carrier.ts'
import { rcs } from '../request-bodies.ts'
import { runOnce } from '../once.ts'
import { prove } from '../prove.ts'
import { getAccountClient } from '../installation.ts'
import { sendRelayed, waitForRelayed, reportRelayed } from '../relay.ts'

const fallback = (change: object): object => rcs({ fallback: { type: 'MMS', text: 'instead', ...change } })
const getFileKey = runOnce(uploadMmsImage)

prove('fallback.type', async () => {
  for (const type of ['SMS', 'MMS']) {
    const body = rcs({ to: nextRecipient('0023'), fallback: { type, text: 'instead' } })
    const reports = await waitForReports((await assertAccepted('rcs', body)).body.msgKey!)
    assert.deepEqual(
      reports.map(({ serviceType }) => serviceType),
      // An inquiry returns the outcome first.
      [type, 'RCS'],
    )
  }
  for (const wrong of [undefined, '', 'RCS', 'sms', 1]) {
    await assertRejected('rcs', fallback({ type: wrong }), 'A312', 'fallback.type')
  }
})

prove('fallback.text', async () => {
  await assertAccepted('rcs', fallback({ text: 'x'.repeat(2_000) }))
  await assertRejected('rcs', fallback({ text: 'x'.repeat(2_001) }), 'A329', 'fallback.text')
  await assertAccepted('rcs', fallback({ text: '가'.repeat(1_000) }))
  await assertRejected('rcs', fallback({ text: `${'가'.repeat(1_000)}x` }), 'A329', 'fallback.text')
  for (const wrong of [undefined, '', 1])
    await assertRejected('rcs', fallback({ text: wrong }), 'A314', 'fallback.text')
})

prove('fallback.title', async () => {
  await assertAccepted('rcs', fallback({ title: 'x'.repeat(40) }))
  await assertRejected('rcs', fallback({ title: 'x'.repeat(41) }), 'A300', 'fallback.title')
  await assertAccepted('rcs', fallback({ title: '가'.repeat(20) }))
  await assertRejected('rcs', fallback({ title: '가'.repeat(21) }), 'A300', 'fallback.title')
  await assertRejected('rcs', fallback({ title: 1 }), 'A300', 'fallback.title')
})

prove('fallback.fileKey', async () => {
  const key = await getFileKey()
  const { msgKey } = (await assertAccepted('rcs', fallback({ fileKey: [key, key, key] }))).body
  assert.deepEqual((await findSubmittedContent(msgKey!, 1)).fileKeys, [key, key, key])
  await assertRejected('rcs', fallback({ fileKey: [key, key, key, key] }), 'A317', 'fallback.fileKey')
  await assertRejected('rcs', fallback({ fileKey: ['unknown'] }), 'A217', 'fallback.fileKey[0]')
  await assertRejected('rcs', fallback({ fileKey: key }), 'A317', 'fallback.fileKey')
})

prove('fallback.originCID', async () => {
  for (const type of ['SMS', 'MMS']) {
    const to = nextRecipient()
    const msgKey = await sendRelayed(
      'rcs',
      rcs({ to, fallback: { type, text: 'instead', originCID: '123456789' } }),
    )
    const first = await waitForRelayed(to)
    assert.deepEqual([first.channel, 'fallback' in first.content], ['rcs', false])
    await reportRelayed(first, { reportCode: '33101' })
    const second = await waitForRelayed(to, 1)
    assert.deepEqual([second.channel, second.content.originCID], [type.toLowerCase(), '123456789'])
    await reportRelayed(second)
    const reports = await waitForReports(msgKey, await getAccountClient('relayed'))
    assert.deepEqual(
      reports.map(({ serviceType, reportCode }) => [serviceType, reportCode]),
      [
        [type, '10000'],
        ['RCS', '33101'],
      ],
    )
  }
  for (const wrong of ['12345678', '1234567890', '12345678a', 123456789]) {
    await assertRejected('rcs', fallback({ originCID: wrong }), 'A300', 'fallback.originCID')
  }
})

prove('limit.fallback', async () => {
  const fileKey = [await getFileKey(), await getFileKey(), await getFileKey()]
  const whole = { text: 'x'.repeat(2_000), title: 't'.repeat(40), fileKey, originCID: '123456789' }
  const { msgKey } = (await assertAccepted('rcs', fallback(whole))).body
  assert.equal((await waitForSteps(msgKey!)).length, 2)
  await assertRejected('rcs', fallback({ ...whole, text: 'x'.repeat(2_001) }), 'A329')
  await assertRejected('rcs', fallback({ ...whole, title: 't'.repeat(41) }), 'A300')
  await assertRejected('rcs', fallback({ ...whole, fileKey: [...fileKey, fileKey[0]!] }), 'A317')
  await assertRejected('rcs', fallback({ ...whole, originCID: '1234567890' }), 'A300')
})
