import assert from 'node:assert/strict'
import { postern } from '../../../support/processes/postern-command.ts'
import { waitFor } from '../../../support/wait.ts'
import { assertAccepted, assertError, pollBatch, nextRecipient, waitForReports } from '../api-assertions.ts'
import { sms } from '../request-bodies.ts'
import { runOnce } from '../once.ts'
import { day, minute, insertBackdatedReports } from '../backdated-rows.ts'
import { prove } from '../prove.ts'
import { getAccountClient, getConformanceInstallation, sql } from '../installation.ts'

const poll = '/v1/report/polling'
const reportIdPattern = /^\d{17}[0-9A-Z]{11}$/

async function nothing(): Promise<void> {
  const { body } = await (await getAccountClient('empty')).get(poll)
  assert.deepEqual(body, { code: 'A000', result: 'Success', data: { reportId: '', report: [] } })
}

const getPollingRun = runOnce(async () => {
  const api = await getAccountClient('batch')
  const { msgKey } = (await assertAccepted('sms', sms({ ref: 'polled' }), api)).body
  const before = await waitForReports(msgKey!, api)
  const polled = await api.get(poll)
  const { reportId } = polled.body.data!
  const deleted = await api.delete(`${poll}/${reportId}`)
  const after = await waitForReports(msgKey!, api)
  const next = await api.get(poll)
  return { msgKey, before, polled, deleted, after, next }
})

prove('batch.reportId', async () => {
  assert.match((await getPollingRun()).polled.body.data!.reportId!, reportIdPattern)
  await nothing()
})

prove('batch.report', async () => {
  const { report } = (await getPollingRun()).polled.body.data!
  assert.ok(Array.isArray(report) && report.length === 1)
  await nothing()
})

prove('polling.answer', async () => {
  const { httpStatus, body } = (await getPollingRun()).polled
  assert.equal(httpStatus, 200)
  assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'result'])
  assert.deepEqual(Object.keys(body.data!).sort(), ['report', 'reportId'])
  assert.deepEqual(Object.keys(body.data!.report![0]!).sort(), [
    ...['carrier', 'last', 'msgKey', 'msgType', 'outcome', 'ref', 'reportCode', 'reportText', 'reportTime'],
    ...['reportType', 'sendTime', 'serviceType', 'step', 'to'],
  ])
})

prove('polling.empty', nothing)

prove('processing.answer', async () => {
  const { httpStatus, body } = (await getPollingRun()).deleted
  assert.equal(httpStatus, 200)
  assert.deepEqual(body, { code: 'A000', result: 'Success' })
})

prove('processing.reportId', async () => {
  const api = await getAccountClient('main')
  for (const path of [poll, `${poll}/`]) assertError(await api.delete(path), 404, 'A300')
  assertError(await api.delete(`${poll}/nonsense`), 400, 'A805')
})

prove('batch-state.process', async () => {
  assert.deepEqual((await getPollingRun()).next.body.data, { reportId: '', report: [] })
  const api = await getAccountClient('batch')
  const { msgKey } = (await assertAccepted('sms', sms(), api)).body
  await waitForReports(msgKey!, api)
  const { reportId, report } = await pollBatch(api)
  assert.deepEqual(
    report.map((record) => record.msgKey),
    [msgKey],
  )
  assert.notEqual(reportId, (await getPollingRun()).polled.body.data!.reportId)
})

const refusals = runOnce(async () => {
  const api = await getAccountClient('twice')
  await insertBackdatedReports('twice', 2)
  const batch = await pollBatch(api)
  for (const wrong of [
    'nonsense',
    '20260101000000000AAAAAAAAAAA',
    batch.reportId.toLowerCase(),
    'A'.repeat(101),
  ]) {
    const response = await api.delete(`${poll}/${wrong}`)
    assertError(response, 400, 'A805')
    assert.equal(response.body.result, 'Invalid Report ID(Pull API)')
  }
  assertError(await (await getAccountClient('stranger')).delete(`${poll}/${batch.reportId}`), 400, 'A805')
  assert.deepEqual(await pollBatch(api), batch)
  assert.equal((await api.delete(`${poll}/${batch.reportId}`)).body.code, 'A000')
  assertError(await api.delete(`${poll}/${batch.reportId}`), 400, 'A805')
})
prove('batch-state.refuse', refusals)
prove('error.A805', refusals)

const thousand = runOnce(async () => {
  const api = await getAccountClient('thousand')
  const keys = await insertBackdatedReports('thousand', 1_001)
  const first = await pollBatch(api)
  assert.match(first.reportId, reportIdPattern)
  assert.deepEqual(
    first.report.map(({ msgKey }) => msgKey),
    keys.slice(0, 1_000),
  )
  assert.deepEqual(await pollBatch(api), first)
  assert.equal((await api.delete(`${poll}/${first.reportId}`)).body.code, 'A000')
  const second = await pollBatch(api)
  assert.deepEqual(
    second.report.map(({ msgKey }) => msgKey),
    keys.slice(1_000),
  )
})
prove('batch-state.hand-out', thousand)
prove('limit.batch', thousand)

prove('batch-state.order', async () => {
  const api = await getAccountClient('pending')
  const [first] = await insertBackdatedReports('pending', 1)
  const held = await pollBatch(api)
  const [second] = await insertBackdatedReports('pending', 1)
  assert.equal((await waitForReports(second!, api)).length, 1)
  assert.deepEqual(await pollBatch(api), held)
  assert.deepEqual(
    held.report.map(({ msgKey }) => msgKey),
    [first],
  )
  await api.delete(`${poll}/${held.reportId}`)
  assert.equal((await pollBatch(api)).report[0]!.msgKey, second)
})

const threeDays = runOnce(async () => {
  const api = await getAccountClient('aged')
  const [gone] = await insertBackdatedReports('aged', 1, 3 * day + minute)
  assert.deepEqual((await api.get(poll)).body.data, { reportId: '', report: [] })
  const [left] = await insertBackdatedReports('aged', 1, 3 * day - minute)
  const { report } = await pollBatch(api)
  assert.deepEqual(
    report.map(({ msgKey }) => msgKey),
    [left],
  )
  assert.equal((await waitForReports(gone!, api)).length, 1)
})
prove('batch-state.delete', threeDays)
prove('limit.retention', threeDays)
prove('events.3', threeDays)

const thirtyDays = runOnce(async () => {
  const api = await getAccountClient('inquiry')
  const [found] = await insertBackdatedReports('inquiry', 1, 30 * day - minute)
  const [old] = await insertBackdatedReports('inquiry', 1, 30 * day + minute)
  assert.equal((await api.get(`/v1/report/inquiry/${found}`)).body.data!.report!.length, 1)
  assert.deepEqual((await api.get(`/v1/report/inquiry/${old}`)).body.data, { report: [] })
  // A report written days after acceptance is available for 30 days from its own time, even if the day of acceptance
  // is past retention.
  const [late] = await insertBackdatedReports('inquiry', 1, 30 * day - minute, 3 * day)
  const { base } = await getConformanceInstallation()
  await postern(base.environment, 'purge-expired')
  assert.equal((await api.get(`/v1/report/inquiry/${late}`)).body.data!.report!.length, 1)
  assert.equal((await api.get(`/v1/report/inquiry/${found}`)).body.data!.report!.length, 1)
})
prove('inquiry.age', thirtyDays)
prove('limit.inquiry', thirtyDays)

prove('inquiry.msgKey', async () => {
  const { msgKey } = await getPollingRun()
  const stranger = await getAccountClient('stranger')
  for (const key of ['nonsense', '20260101000000000AAAAAAAAAAAAAAA', msgKey]) {
    assert.deepEqual((await stranger.get(`/v1/report/inquiry/${key}`)).body.data, { report: [] })
  }
  assert.equal((await stranger.get('/v1/report/inquiry')).httpStatus, 404)
})

prove('inquiry.answer', async () => {
  const { msgKey, before, after } = await getPollingRun()
  const { httpStatus, body } = await (await getAccountClient('batch')).get(`/v1/report/inquiry/${msgKey}`)
  assert.equal(httpStatus, 200)
  // `state` is beyond the contract.
  assert.deepEqual(Object.keys(body).sort(), ['code', 'data', 'result', 'state'])
  assert.deepEqual(Object.keys(body.data!), ['report'])
  assert.deepEqual(body.data!.report, before)
  assert.deepEqual(after, before)
})

async function polledAndInquired(): Promise<void> {
  const { polled, before, after } = await getPollingRun()
  assert.deepEqual(polled.body.data!.report, before)
  assert.deepEqual(after, before)
}
prove('service.4', polledAndInquired)
prove('events.2', polledAndInquired)

prove('events.1', async () => {
  const silent = (await assertAccepted('sms', sms({ to: nextRecipient('0003') }))).body.msgKey!
  const msgKey = (await assertAccepted('sms', sms())).body.msgKey!
  await waitForReports(msgKey)
  // The silent message was sent earlier over the same route, and its delivery receipt never arrives.
  const attempt = await waitFor(
    'the silent message to be submitted',
    async () => (await sql('select outcome from attempts where msg_key = $1', [silent]))[0],
    { timeoutMs: 10_000 },
  )
  assert.deepEqual(attempt, { outcome: 'accepted' })
  assert.deepEqual((await (await getAccountClient('main')).get(`/v1/report/inquiry/${silent}`)).body.data, {
    report: [],
  })
})
