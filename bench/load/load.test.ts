import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResponseReader } from './response.ts'
import { Latencies } from './latencies.ts'
import { RequestTemplate } from './request.ts'

const buildResponse = (status: string, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const success = buildResponse('200 OK', '{"code":"A000","result":"Success"}')

test('counts a response only when it is complete, for any segmentation', () => {
  for (let cut = 1; cut < success.length; cut++) {
    const reader = new ResponseReader()
    assert.equal(reader.read(success.slice(0, cut)), null)
    assert.equal(reader.read(success.slice(cut))?.accepted, true)
  }
})

test('counts only A000 as accepted', () => {
  const reader = new ResponseReader()
  assert.equal(reader.read(buildResponse('503 Service Unavailable', '{"code":"A999"}'))?.accepted, false)
  assert.equal(reader.read(buildResponse('200 OK', '{"code":"A010"}'))?.accepted, false)
  const refused = '{"code":"A000","data":{"destinations":[{"msgKey":"","code":"A306"}]}}'
  assert.equal(reader.read(buildResponse('200 OK', refused))?.accepted, false)
  assert.equal(reader.read(success)?.accepted, true)
})

test('reads the retry time of a 429 but not of other refusals', () => {
  const reader = new ResponseReader()
  const refused = (status: string): string =>
    buildResponse(status, '{"code":"A020"}').replace('\r\n', '\r\nretry-after: 3\r\n')
  assert.equal(reader.read(refused('429 Too Many Requests'))?.retryAfter, 3)
  assert.equal(reader.read(refused('503 Service Unavailable'))?.retryAfter, null)
  assert.equal(reader.read(success)?.retryAfter, null)
})

test('rejects two responses to one request', () => {
  assert.throws(() => new ResponseReader().read(success + success), /unexpected response/)
})

test('creates different requests to recipients that are delivered', () => {
  const request = new RequestTemplate(8080, 'token', 'sms')
  const seen = new Set<string>()
  for (const number of [0, 1, 999, 1000, 123_456, 9_999_999]) {
    request.setNumber(number)
    const [head, json] = request.bytes.toString().split('\r\n\r\n')
    const body = JSON.parse(json!) as { to: string; ref: string }
    assert.match(body.to, /^010\d{4}1\d{3}$/)
    assert.equal(Number(body.ref.slice(11)), number)
    assert.ok(head!.includes(`Content-Length: ${Buffer.byteLength(json!)}`))
    seen.add(body.to)
  }
  assert.equal(seen.size, 6)
})

test('numbers the destination of an omni request', () => {
  const request = new RequestTemplate(8080, 'token', 'omni')
  request.setNumber(1_234_567)
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

test('returns percentiles to a hundredth of a millisecond', () => {
  const latencies = new Latencies()
  for (let n = 1; n <= 100; n++) latencies.add(n - 0.005)
  assert.equal(latencies.percentile(0.5), 50)
  assert.equal(latencies.percentile(0.99), 99)
  assert.equal(new Latencies().percentile(0.5), 0)
})
