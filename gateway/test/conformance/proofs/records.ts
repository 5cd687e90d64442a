/** The fields of a report record: in polling and in inquiry, of a delivered and of a failed message. */
import assert from 'node:assert/strict'
import type { Report } from '../../support/processes/account-client.ts'
import {
  abroad,
  accepts,
  from,
  msgKeyPattern,
  pollBatch,
  recipient,
  reportsOf,
  timePattern,
} from '../api-assertions.ts'
import { brandmessage, sms } from '../request-bodies.ts'
import { once } from '../once.ts'
import { prove } from '../prove.ts'
import { account, sql } from '../installation.ts'

interface Played {
  readonly startedAt: number
  readonly delivered: string
  readonly failed: string
  /** Both, each as polled and as inquired. */
  readonly records: readonly Report[]
}

const play = once(async (): Promise<Played> => {
  const api = await account('record')
  // Times are given in whole seconds.
  const startedAt = Math.floor(Date.now() / 1000) * 1000
  const delivered = (await accepts('sms', sms({ ref: 'good' }), api)).body.msgKey!
  const failed = (await accepts('sms', sms({ to: recipient('0002'), ref: 'bad' }), api)).body.msgKey!
  const inquired = [...(await reportsOf(delivered, api)), ...(await reportsOf(failed, api))]
  const { report } = await pollBatch(api)
  assert.equal(report.length, 2)
  return { startedAt, delivered, failed, records: [...report, ...inquired] }
})

async function eachRecord(look: (record: Report, played: Played) => void): Promise<void> {
  const played = await play()
  assert.equal(played.records.length, 4)
  for (const record of played.records) look(record, played)
}

prove('record.msgKey', () =>
  eachRecord(({ msgKey, ref }, { delivered, failed }) => {
    assert.match(msgKey, msgKeyPattern)
    assert.equal(msgKey, ref === 'good' ? delivered : failed)
  }),
)
prove('record.serviceType', () => eachRecord(({ serviceType }) => assert.equal(serviceType, 'SMS')))
prove('record.msgType', () => eachRecord(({ msgType }) => assert.equal(msgType, 'SM')))
prove('record.sendTime', () =>
  eachRecord(({ sendTime }, { startedAt }) => {
    assert.match(sendTime, timePattern)
    assert.ok(Date.parse(sendTime) >= startedAt, sendTime)
  }),
)
prove('record.reportTime', () =>
  eachRecord(({ reportTime, sendTime }) => {
    assert.match(reportTime, timePattern)
    assert.ok(Date.parse(reportTime) >= Date.parse(sendTime), `${reportTime} is before ${sendTime}`)
  }),
)
prove('record.reportType', () => eachRecord(({ reportType }) => assert.equal(reportType, '0')))
prove('record.reportCode', () =>
  eachRecord(({ reportCode, ref }) => assert.equal(reportCode, ref === 'good' ? '10000' : '23001')),
)
prove('record.reportText', () => eachRecord(({ reportText }) => assert.match(reportText, /\w/)))
prove('record.carrier', () => eachRecord(({ carrier }) => assert.equal(typeof carrier, 'string')))
prove('record.ref', () =>
  eachRecord(({ ref, msgKey }, { delivered }) => assert.equal(ref, msgKey === delivered ? 'good' : 'bad')),
)

const countParts = once(async () => {
  const api = await account('counted')
  const message = { from, to: abroad(), text: 'a'.repeat(307) }
  const msgKey = (await accepts('international', message, api)).body.msgKey!
  const [inquired] = await reportsOf(msgKey, api)
  const polled = (await pollBatch(api)).report.find((record) => record.msgKey === msgKey)
  assert.equal(inquired!.resCnt, '3')
  assert.equal(polled!.resCnt, '3')
  const other = (await accepts('international', { ...message, to: abroad() })).body.msgKey!
  assert.ok(!('resCnt' in (await reportsOf(other))[0]!), 'an account without the setting got resCnt')
})
prove('record.resCnt', countParts)
prove('rule.2', countParts)

prove('record.userType', async () => {
  await eachRecord((record) => assert.ok(!('userType' in record)))
  const api = await account('branded')
  for (const userType of ['F', 'N']) {
    const { msgKey } = (await accepts('brandmessage', brandmessage(), api)).body
    const [before] = await reportsOf(msgKey!, api)
    assert.ok(!('userType' in before!), 'it is not known yet')
    // As the messenger's carrier would report it.
    await sql('update reports set user_type = $2 where msg_key = $1', [msgKey, userType])
    const { report } = (await api.get(`/v1/report/inquiry/${msgKey}`)).body.data!
    assert.deepEqual(report, [{ ...before, userType }])
  }
  for (const record of (await pollBatch(api)).report) assert.ok(!('userType' in record))
})
