import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerReader } from './answer.ts'
import { Latencies } from './latencies.ts'
import { Request } from './request.ts'

const answerOf = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const success = answerOf('200 OK', '{"code":"A000","result":"Success"}')

test('counts an answer only when it is complete, for any segmentation', () => {
  for (let cut = 1; cut < success.length; cut++) {
    const reader = new AnswerReader()
    assert.equal(reader.take(success.slice(0, cut)), null)
    assert.equal(reader.take(success.slice(cut))?.accepted, true)
  }
})

test('never counts anything but A000 as accepted', () => {
  const reader = new AnswerReader()
  assert.equal(reader.take(answerOf('503 Service Unavailable', '{"code":"A999"}'))?.accepted, false)
  assert.equal(reader.take(answerOf('200 OK', '{"code":"A010"}'))?.accepted, false)
  const refused = '{"code":"A000","data":{"destinations":[{"msgKey":"","code":"A306"}]}}'
  assert.equal(reader.take(answerOf('200 OK', refused))?.accepted, false)
  assert.equal(reader.take(success)?.accepted, true)
})

test('a 429 gives the time to send the request again; other refusals do not', () => {
  const reader = new AnswerReader()
  const refused = (status: string): string =>
    answerOf(status, '{"code":"A020"}').replace('\r\n', '\r\nretry-after: 3\r\n')
  assert.equal(reader.take(refused('429 Too Many Requests'))?.retryAfter, 3)
  assert.equal(reader.take(refused('503 Service Unavailable'))?.retryAfter, null)
  assert.equal(reader.take(success)?.retryAfter, null)
})

test('rejects two answers to one request', () => {
  assert.throws(() => new AnswerReader().take(success + success), /an unexpected answer/)
})

test('creates different requests to recipients that are delivered', () => {
  const request = new Request(8080, 'token', 'sms')
  const seen = new Set<string>()
  for (const number of [0, 1, 999, 1000, 123_456, 9_999_999]) {
    request.number(number)
    const [head, json] = request.bytes.toString().split('\r\n\r\n')
    const body = JSON.parse(json!) as { to: string; ref: string }
    assert.match(body.to, /^010\d{4}1\d{3}$/)
    assert.equal(Number(body.ref.slice(11)), number)
    assert.ok(head!.includes(`Content-Length: ${Buffer.byteLength(json!)}`))
    seen.add(body.to)
  }
  assert.equal(seen.size, 6)
})

test('numbers the one destination of an omni request too', () => {
  const request = new Request(8080, 'token', 'omni')
  request.number(1_234_567)
  const [head, json] = request.bytes.toString().split('\r\n\r\n')
  const body = JSON.parse(json!) as { destinations: { to: string }[]; messageFlow: object[]; ref: string }
  assert.match(head!, /^POST \/v1\/send\/omni /)
  assert.deepEqual(
    body.destinations.map(({ to }) => to),
    ['01045671123'],
  )
  assert.equal(body.ref, 'order-2026-0001234567')
  assert.equal(body.messageFlow.length, 3)
})

test('gives percentiles to a hundredth of a millisecond', () => {
  const latencies = new Latencies()
  for (let n = 1; n <= 100; n++) latencies.add(n - 0.005)
  assert.equal(latencies.percentile(0.5), 50)
  assert.equal(latencies.percentile(0.99), 99)
  assert.equal(new Latencies().percentile(0.5), 0)
})
