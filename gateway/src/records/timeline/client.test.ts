import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../test/support/measure/cpu-time.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJob,
  attempt,
  receiptFor,
  recipient,
  recordOne,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import { settleBatch } from '../../pipeline/settle/batch.ts'
import { recordAttempts } from '../attempts/attempts.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { ClientTimeline } from './client.ts'
import { readLanguage } from './http.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })
const steps: AcceptedJob['steps'] = [
  { channel: 'rcs', content: { from: '02', secret: 'hidden words' } },
  smsStep,
]

test('has steps, times, outcome and next action in the requested language', async () => {
  const account = await api.account()
  const key = await recordOne(database, { accountId: account.id, steps: [smsStep] })
  const row = attempt(key)
  await recordAttempts(database, [row])
  const receipt = receiptFor(row, { result: 'failed', cause: 'phone-off', code: 'UNDELIV:003' })
  const items = [{ job: receipt, isStored: false }]
  await settleBatch({ database, metrics: testMetrics(), outbox: emptyOutbox }, items, testScope())
  const getTimeline = async (language: string): Promise<ClientTimeline> => {
    const { status, body, headers } = await api.call(account, 'GET', `/v1/message/${key.msgKey}`, undefined, {
      'accept-language': language,
    })
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(headers['content-language'], language.slice(0, 2))
    return body.data as ClientTimeline
  }
  const english = await getTimeline('en')
  assert.equal(english.state, 'closed')
  assert.equal(english.outcome?.code, '22003')
  assert.equal(english.action, english.outcome.action)
  assert.deepEqual(english.steps, [
    { step: 1, serviceType: 'SMS', state: 'ended', code: '22003', text: english.outcome.text },
  ])
  assert.deepEqual(
    english.events.map(({ kind }) => kind),
    ['accepted', 'submitted', 'receipt', 'closed'],
  )
  assert.equal(english.events[2]!.carrierCode, 'UNDELIV:003')
  assert.match(english.events[0]!.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00$/)
  const korean = await getTimeline('ko-KR,en;q=0.5')
  assert.match(korean.outcome!.text, /[가-힣]/)
  for (const { text } of korean.events) assert.match(text, /[가-힣]/)
})

test('never contains the text, the route or the id at the carrier', async () => {
  const account = await api.account()
  const key = await recordOne(database, { accountId: account.id, steps })
  const row = attempt(key, { routeId: 'secret-route', carrierId: 'secretid77' })
  await recordAttempts(database, [row])
  const { body } = await api.call(account, 'GET', `/v1/message/${key.msgKey}`)
  const text = JSON.stringify(body)
  for (const hidden of ['hidden words', 'secret-route', 'secretid77'])
    assert.ok(!text.includes(hidden), hidden)
  const timeline = body.data as ClientTimeline
  assert.equal(timeline.to, recipient)
  assert.equal(timeline.state, 'open')
  assert.deepEqual(
    timeline.steps.map(({ state }) => state),
    ['under way', 'to come'],
  )
})

test('another account’s message, an unknown and a malformed key get the same response', async () => {
  const [account, other] = [await api.account(), await api.account()]
  const theirs = await recordOne(database, { accountId: other.id })
  const responses = []
  for (const key of [theirs.msgKey, acceptedJob().msgKey, 'nonsense']) {
    const { status, body } = await api.call(account, 'GET', `/v1/message/${key}`)
    responses.push([status, body])
  }
  assert.equal((responses[0]![1] as { code: string }).code, 'A331')
  assert.equal(responses[0]![0], 404)
  assert.deepEqual(responses[1], responses[0])
  assert.deepEqual(responses[2], responses[0])
})

test('reads Accept-Language by rank', () => {
  for (const header of [undefined, '', '*', 'en', 'de', 'en-US,ko;q=0.9', 'ko;q=0']) {
    assert.equal(readLanguage(header), 'en', header)
  }
  for (const header of ['ko', 'ko-KR', 'en;q=0.3, ko;q=0.4', 'de,ko;q=0.1'])
    assert.equal(readLanguage(header), 'ko', header)
})

test('a language header of spaces takes linear time', () => {
  const header = `ko${' '.repeat(64_000)}x;q=1`
  assert.ok(cpuMs(() => assert.equal(readLanguage(header), 'en')) < 200)
})
