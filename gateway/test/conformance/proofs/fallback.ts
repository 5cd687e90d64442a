/** The fallback object of an RCS send. Bytes are those of the carriers' character set: two for a syllable. */
import assert from 'node:assert/strict'
import { accepts, mmsFile, recipient, refuses, reportsOf } from '../api-assertions.ts'
import { stepsOf, submittedAs } from '../carrier.ts'
import { rcs } from '../request-bodies.ts'
import { once } from '../once.ts'
import { prove } from '../prove.ts'
import { account } from '../installation.ts'
import { relay, relayedTo, reportRelayed } from '../relay.ts'

const fallback = (change: object): object => rcs({ fallback: { type: 'MMS', text: 'instead', ...change } })
const file = once(mmsFile)

prove('fallback.type', async () => {
  for (const type of ['SMS', 'MMS']) {
    const body = rcs({ to: recipient('0023'), fallback: { type, text: 'instead' } })
    const reports = await reportsOf((await accepts('rcs', body)).body.msgKey!)
    assert.deepEqual(
      reports.map(({ serviceType }) => serviceType),
      ['RCS', type],
    )
  }
  for (const wrong of [undefined, '', 'RCS', 'sms', 1]) {
    await refuses('rcs', fallback({ type: wrong }), 'A312', 'fallback.type')
  }
})

prove('fallback.text', async () => {
  await accepts('rcs', fallback({ text: 'x'.repeat(2_000) }))
  await refuses('rcs', fallback({ text: 'x'.repeat(2_001) }), 'A329', 'fallback.text')
  await accepts('rcs', fallback({ text: '가'.repeat(1_000) }))
  await refuses('rcs', fallback({ text: `${'가'.repeat(1_000)}x` }), 'A329', 'fallback.text')
  for (const wrong of [undefined, '', 1])
    await refuses('rcs', fallback({ text: wrong }), 'A314', 'fallback.text')
})

prove('fallback.title', async () => {
  await accepts('rcs', fallback({ title: 'x'.repeat(40) }))
  await refuses('rcs', fallback({ title: 'x'.repeat(41) }), 'A300', 'fallback.title')
  await accepts('rcs', fallback({ title: '가'.repeat(20) }))
  await refuses('rcs', fallback({ title: '가'.repeat(21) }), 'A300', 'fallback.title')
  await refuses('rcs', fallback({ title: 1 }), 'A300', 'fallback.title')
})

prove('fallback.fileKey', async () => {
  const key = await file()
  const { msgKey } = (await accepts('rcs', fallback({ fileKey: [key, key, key] }))).body
  assert.deepEqual((await submittedAs(msgKey!, 1)).fileKeys, [key, key, key])
  await refuses('rcs', fallback({ fileKey: [key, key, key, key] }), 'A317', 'fallback.fileKey')
  await refuses('rcs', fallback({ fileKey: ['nobody'] }), 'A217', 'fallback.fileKey[0]')
  await refuses('rcs', fallback({ fileKey: key }), 'A317', 'fallback.fileKey')
})

prove('fallback.originCID', async () => {
  for (const type of ['SMS', 'MMS']) {
    const to = recipient()
    const msgKey = await relay(
      'rcs',
      rcs({ to, fallback: { type, text: 'instead', originCID: '123456789' } }),
    )
    const first = await relayedTo(to)
    assert.deepEqual([first.channel, 'fallback' in first.content], ['rcs', false])
    await reportRelayed(first, { reportCode: '33101' })
    const second = await relayedTo(to, 1)
    assert.deepEqual([second.channel, second.content.originCID], [type.toLowerCase(), '123456789'])
    await reportRelayed(second)
    const reports = await reportsOf(msgKey, await account('relayed'))
    assert.deepEqual(
      reports.map(({ serviceType, reportCode }) => [serviceType, reportCode]),
      [
        ['RCS', '33101'],
        [type, '10000'],
      ],
    )
  }
  for (const wrong of ['12345678', '1234567890', '12345678a', 123456789]) {
    await refuses('rcs', fallback({ originCID: wrong }), 'A300', 'fallback.originCID')
  }
})

prove('limit.fallback', async () => {
  const fileKey = [await file(), await file(), await file()]
  const whole = { text: 'x'.repeat(2_000), title: 't'.repeat(40), fileKey, originCID: '123456789' }
  const { msgKey } = (await accepts('rcs', fallback(whole))).body
  assert.equal((await stepsOf(msgKey!)).length, 2)
  await refuses('rcs', fallback({ ...whole, text: 'x'.repeat(2_001) }), 'A329')
  await refuses('rcs', fallback({ ...whole, title: 't'.repeat(41) }), 'A300')
  await refuses('rcs', fallback({ ...whole, fileKey: [...fileKey, fileKey[0]!] }), 'A317')
  await refuses('rcs', fallback({ ...whole, originCID: '1234567890' }), 'A300')
})
