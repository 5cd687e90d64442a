/** Tests report records of polling and inquiry, with a delivered and a failed message per channel. */
import assert from 'node:assert/strict'
import type { Report } from '../../../support/processes/account-client.ts'
import { waitFor } from '../../../support/wait.ts'
import {
  nextForeignRecipient,
  assertAccepted,
  dryRun,
  from,
  msgKeyPattern,
  pollBatch,
  nextRecipient,
  waitForReports,
  timePattern,
} from '../api-assertions.ts'
import { alimtalk, brandmessage, friendtalk, international, rcs, sms } from '../request-bodies.ts'
import { runOnce } from '../once.ts'
import { prove } from '../prove.ts'
import { getAccountClient, lguPrefix } from '../installation.ts'
import { sendRelayed, waitForRelayed, reportRelayed } from '../relay.ts'

interface ChannelCase {
  readonly body: (change: object) => object
  readonly serviceType: string
  readonly msgType: string
  /** Report code of an unknown recipient. */
  readonly failed: string
}

const channels: Readonly<Record<string, ChannelCase>> = {
  sms: { body: sms, serviceType: 'SMS', msgType: 'SM', failed: '23001' },
  mms: { body: sms, serviceType: 'MMS', msgType: 'LM', failed: '23001' },
  international: { body: international, serviceType: 'INTERNATIONAL', msgType: 'IM', failed: '23001' },
  rcs: { body: rcs, serviceType: 'RCS', msgType: 'RL', failed: '33001' },
  alimtalk: { body: alimtalk, serviceType: 'ALIMTALK', msgType: 'AT', failed: '63019' },
  friendtalk: { body: friendtalk, serviceType: 'FRIENDTALK', msgType: 'FT', failed: '63019' },
  brandmessage: { body: brandmessage, serviceType: 'BRANDMESSAGE', msgType: 'FT', failed: '63019' },
}

interface SentMessage extends ChannelCase {
  readonly msgKey: string
  readonly ref: string
  readonly isDelivered: boolean
}

interface ReportRun {
  readonly startedAt: number
  readonly sent: ReadonlyMap<string, SentMessage>
  /** Records of polling and inquiry. */
  readonly records: readonly Report[]
}

const getReportRun = runOnce(async (): Promise<ReportRun> => {
  const api = await getAccountClient('record')
  // Times have whole seconds.
  const startedAt = Math.floor(Date.now() / 1000) * 1000
  const sent = new Map<string, SentMessage>()
  for (const [channel, one] of Object.entries(channels)) {
    for (const ending of ['0001', '0002']) {
      const ref = `${channel} ${ending}`
      const to = channel === 'international' ? nextForeignRecipient(ending) : nextRecipient(ending)
      const msgKey = (await assertAccepted(channel, one.body({ to, ref }), api)).body.msgKey!
      sent.set(ref, { ...one, msgKey, ref, isDelivered: ending === '0001' })
    }
  }
  const inquired: Report[] = []
  for (const { msgKey } of sent.values()) inquired.push(...(await waitForReports(msgKey, api)))
  const { report } = await pollBatch(api, sent.size)
  return { startedAt, sent, records: [...report, ...inquired] }
})

/** Calls `check` with each record and its message, matched by `ref`. */
async function eachRecord(
  check: (record: Report, message: SentMessage, startedAt: number) => void,
): Promise<void> {
  const { records, sent, startedAt } = await getReportRun()
  assert.equal(records.length, 2 * sent.size)
  for (const record of records) check(record, sent.get(record.ref)!, startedAt)
}

prove('record.msgKey', () =>
  eachRecord((record, { msgKey }) => {
    assert.match(record.msgKey, msgKeyPattern)
    assert.equal(record.msgKey, msgKey)
  }),
)
prove('record.serviceType', () =>
  eachRecord((record, { serviceType }) => assert.equal(record.serviceType, serviceType)),
)
prove('record.msgType', () => eachRecord((record, { msgType }) => assert.equal(record.msgType, msgType)))
prove('record.sendTime', () =>
  eachRecord(({ sendTime }, _message, startedAt) => {
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
  eachRecord(({ reportCode }, { isDelivered, failed, ref }) =>
    assert.equal(reportCode, isDelivered ? '10000' : failed, ref),
  ),
)
prove('record.reportText', () =>
  eachRecord(({ reportText }, { isDelivered }) =>
    assert.match(
      reportText,
      isDelivered ? /^Delivered$/ : /^(No such subscriber|Not a user of the messenger)$/,
    ),
  ),
)
prove('record.ref', async () => {
  const { sent, records } = await getReportRun()
  const expected = [...sent.keys()].flatMap((ref) => [ref, ref])
  assert.deepEqual(records.map(({ ref }) => ref).sort(), expected.sort())
})

prove('record.carrier', async () => {
  // Neither the delivery receipts nor the number ranges name a carrier.
  await eachRecord(({ carrier }) => assert.equal(carrier, '10000'))
  const inRange = `${lguPrefix}0010001`
  const [record] = await waitForReports((await assertAccepted('sms', sms({ to: inRange }))).body.msgKey!)
  assert.equal(record!.carrier, '10003', 'the carrier is not that of the number range')
  const api = await getAccountClient('relayed')
  for (const carrier of ['10001', '10002', '10006']) {
    const to = `${lguPrefix}00${carrier}`
    const msgKey = await sendRelayed('sms', sms({ to }))
    await reportRelayed(await waitForRelayed(to), { carrier })
    assert.equal(
      (await waitForReports(msgKey, api))[0]!.carrier,
      carrier,
      'the carrier is not that of the receipt',
    )
  }
})

const countParts = runOnce(async () => {
  const api = await getAccountClient('counted')
  const message = { from, to: nextForeignRecipient(), text: 'a'.repeat(307) }
  const msgKey = (await assertAccepted('international', message, api)).body.msgKey!
  const [inquired] = await waitForReports(msgKey, api)
  const polled = (await pollBatch(api)).report.find((record) => record.msgKey === msgKey)
  assert.equal(inquired!.resCnt, '3')
  assert.equal(polled!.resCnt, '3')
  const other = (await assertAccepted('international', { ...message, to: nextForeignRecipient() })).body
    .msgKey!
  assert.ok(
    !('resCnt' in (await waitForReports(other))[0]!),
    'an account without the setting received resCnt',
  )
})
prove('record.resCnt', countParts)
prove('rule.2', countParts)

prove('rule.3-billed', async () => {
  for (const [text, parts] of [
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(765), 5],
    ['가'.repeat(70), 1],
    ['가'.repeat(335), 5],
  ] as const) {
    assert.equal((await dryRun('international', international({ text }))).parts, parts)
  }
  await countParts()
  const api = await getAccountClient('counted')
  const usage = await waitFor(
    'the usage of the account',
    async () =>
      ((await api.get('/v1/usage?by=channel')).body.data as unknown as { usage: readonly object[] }).usage[0],
    { everyMs: 100 },
  )
  assert.deepEqual(usage, { channel: 'international', messages: 1, steps: 1, parts: 3 })
})

/** The keys of the contract's table without those that only some records have. */
const recordKeys =
  'carrier msgKey msgType ref reportCode reportText reportTime reportType sendTime serviceType'

const keysOf = (record: Report): string => Object.keys(record).sort().join(' ')

const comparePlainKeys = runOnce(async () => {
  const api = await getAccountClient('plain')
  const [brandTo, smsTo] = [nextRecipient(), nextRecipient()]
  const brandKey = await sendRelayed('brandmessage', brandmessage({ to: brandTo }), 'plain')
  const smsKey = await sendRelayed('sms', sms({ to: smsTo, ref: 'plain' }), 'plain')
  for (const to of [brandTo, smsTo]) await reportRelayed(await waitForRelayed(to), { userType: 'F' })
  const foreignKey = (await assertAccepted('international', international({}), api)).body.msgKey!
  const inquired = async (msgKey: string): Promise<string> => keysOf((await waitForReports(msgKey, api))[0]!)
  const withParts = recordKeys.replace('sendTime', 'resCnt sendTime')
  const expected = new Map([
    [smsKey, { polled: recordKeys, inquired: recordKeys }],
    [foreignKey, { polled: withParts, inquired: withParts }],
    [brandKey, { polled: recordKeys, inquired: `${recordKeys} userType` }],
  ])
  for (const [msgKey, keys] of expected) assert.equal(await inquired(msgKey), keys.inquired)
  const { report } = await pollBatch(api, expected.size)
  for (const record of report) assert.equal(keysOf(record), expected.get(record.msgKey)!.polled)
  const { body } = await api.get(`/v1/report/inquiry/${smsKey}`)
  assert.deepEqual([Object.keys(body), Object.keys(body.data!)], [['code', 'result', 'data'], ['report']])
})
prove('polling.plain', comparePlainKeys)
prove('inquiry.plain', comparePlainKeys)

prove('record.userType', async () => {
  await eachRecord((record) => assert.ok(!('userType' in record)))
  const api = await getAccountClient('relayed')
  const branded: string[] = []
  for (const userType of ['F', 'N', undefined, 'X']) {
    const to = nextRecipient()
    const msgKey = await sendRelayed('brandmessage', brandmessage({ to }))
    await reportRelayed(await waitForRelayed(to), { userType })
    const [record] = await waitForReports(msgKey, api)
    const known = userType === 'F' || userType === 'N'
    assert.deepEqual([record!.serviceType, record!.userType], ['BRANDMESSAGE', known ? userType : undefined])
    branded.push(msgKey)
  }
  const to = nextRecipient()
  const other = await sendRelayed('sms', sms({ to }))
  await reportRelayed(await waitForRelayed(to), { userType: 'F' })
  assert.ok(
    !('userType' in (await waitForReports(other, api))[0]!),
    'userType was reported for another channel',
  )
  const polled = (await pollBatch(api, branded.length)).report
  for (const record of polled) assert.ok(!('userType' in record))
})
