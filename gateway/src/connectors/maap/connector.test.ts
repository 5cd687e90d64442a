/** Tokens, ported numbers and hosts that are down, with simulated hosts. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { rcsSubmission, relayOptions, smsBody } from '../../../test/support/maap.ts'
import {
  countOf,
  nextReference,
  openMaapStage,
  submitTo,
  type MaapStage,
} from '../../../test/support/maap-simulator.ts'
import { recorded } from '../../../test/support/smpp/fixtures.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import { createConnector } from '../registry.ts'

const control = (stage: MaapStage, name: 'skt' | 'kt' | 'lgu' | 'kt-relay', path: string) =>
  fetch(`http://127.0.0.1:${stage.hosts.get(name)!.controlPort}${path}`, { method: 'POST' })

test('a token is renewed before it expires', async (t) => {
  const stage = await openMaapStage(t, {
    kind: 'maap-kt',
    options: { tokenMarginMs: 900 },
    simulator: { tokenTtlMs: 1_000 },
  })
  await waitFor('two renewals', () => countOf(stage, 'token-renewed') >= 3)
  assert.equal((await submitTo(stage, '0001')).kind, 'accepted')
  assert.equal(stage.hosts.get('kt-relay')!.stats().refused, 0)
  assert.equal(stage.record.links.length, 1, 'the link stays up')
})

test('many submissions with an expired token request one new token', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap-kt' })
  await control(stage, 'kt-relay', '/expire-tokens')
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => submitTo(stage, '0001')))
  for (const outcome of outcomes) assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome))
  assert.equal(countOf(stage, 'token-renewed'), 2)
  assert.equal(stage.hosts.get('kt-relay')!.stats().accepted, 30)
})

test('a refused login is not asked for again before its pause, and is no refusal of messages', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap-kt' })
  const { context, events, lines, linkFailures } = stage.record
  events.length = 0
  const options = { ...stage.options, rcsSecret: 'wrong', loginPauseMs: 60_000 }
  const connector = createConnector('maap-kt', options, context)
  t.after(() => connector.stop(100))
  connector.start()
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () =>
      connector.submit(rcsSubmission(smsBody, { reference: nextReference() })),
    ),
  )
  for (const outcome of outcomes)
    assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], ['unreachable', 'maap:token-70008'])
  assert.deepEqual(events, ['account-refused'])
  assert.equal(connector.linked, false)
  assert.deepEqual(linkFailures, ['kt-relay refuses the login: 70008'])
  assert.ok(lines.every(({ fields, text }) => !`${JSON.stringify(fields)}${text}`.includes('wrong')))
})

test('a host that accepts no token it gives gets one more, and then nothing until the pause has passed', async (t) => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url!)
    const tokenInfo = { accessToken: `t${requests.length}`, expiresIn: '6000' }
    const isToken = request.url === '/token'
    response.writeHead(isToken ? 200 : 401)
    response.end(isToken ? JSON.stringify({ status: '200', data: { tokenInfo } }) : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const record = recorded()
  const options = relayOptions({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const connector = createConnector('maap-kt', { ...options }, record.context)
  t.after(async () => {
    await connector.stop(100)
    server.close()
    server.closeAllConnections()
  })
  connector.start()
  await waitFor('the link', () => connector.linked)
  for (let nth = 0; nth < 3; nth++) {
    const outcome = await connector.submit(rcsSubmission(smsBody, { reference: nextReference() }))
    assert.ok(outcome.kind === 'unreachable' && outcome.code === 'maap:token-http:401')
  }
  assert.deepEqual(requests, ['/token', '/message', '/token', '/message'])
  assert.deepEqual(
    record.links.map(({ up }) => up),
    [true, false],
  )
})

test('a stop while the token is requested is not reported as a problem of the login', async (t) => {
  const server = createServer(() => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const record = recorded()
  const options = relayOptions({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const connector = createConnector('maap-kt', { ...options }, record.context)
  const requested = once(server, 'request')
  connector.start()
  await requested
  await connector.stop(10)
  assert.deepEqual([record.lines, record.events, record.links], [[], [], []])
})

test('a token that is refused after another one has replaced it leaves the new one in use', async (t) => {
  let tokens = 0
  let refuse: (() => void) | undefined
  const server = createServer((request, response) => {
    const answer = (data: object): unknown => response.end(JSON.stringify({ status: '200', data }))
    if (request.url === '/token')
      return answer({ tokenInfo: { accessToken: `t${++tokens}`, expiresIn: '6000' } })
    if (request.headers.authorization === 'Bearer t3') return answer({})
    response.writeHead(401)
    if (request.headers.authorization === 'Bearer t2' && refuse === undefined)
      return (refuse = (): unknown => response.end())
    return response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const record = recorded()
  const options = relayOptions({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const connector = createConnector('maap-kt', { ...options }, record.context)
  t.after(async () => {
    await connector.stop(100)
    server.close()
    server.closeAllConnections()
  })
  connector.start()
  await waitFor('the link', () => connector.linked)
  const submit = () => connector.submit(rcsSubmission(smsBody, { reference: nextReference() }))
  const slow = submit()
  await waitFor('its second token', () => refuse !== undefined)
  assert.equal((await submit()).kind, 'accepted')
  refuse!()
  assert.equal((await slow).kind, 'unreachable')
  assert.equal((await submit()).kind, 'accepted')
  assert.equal(tokens, 3)
  assert.equal(record.links.length, 1, 'the link stays up')
  assert.ok(!record.events.includes('account-refused'))
})

test('a stop does not wait for a store of files that does not answer', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap' })
  let opened = 0
  const connector = await stage.open({
    openFile: () => {
      opened++
      return new Promise(() => undefined)
    },
  })
  const content = { standalone: { title: 't', text: 'x', media: 'maapfile://a' } }
  void connector.submit(rcsSubmission({ ...smsBody, formatId: 'SMwThT00', content }, {}))
  await waitFor('the file', () => opened === 1)
  const started = performance.now()
  await connector.stop(100)
  assertWithin('the stop', performance.now() - started, 5_000)
})

test('the carrier of a ported number is remembered', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap' })
  for (const misses of [2, 2, 2]) {
    const outcome = await submitTo(stage, '0063')
    assert.ok(outcome.kind === 'accepted' && outcome.carrier === '10003')
    assert.equal(countOf(stage, 'not-subscriber'), misses)
  }
  assert.equal(stage.hosts.get('skt')!.stats().accepted, 0)
})

test('a number that no carrier knows ends as no-subscriber', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap', options: { codes: { '55817': 'not-subscriber' } } })
  const outcome = await submitTo(stage, '0008')
  assert.ok(outcome.kind === 'refused' && outcome.cause === 'no-subscriber')
  assert.equal(countOf(stage, 'not-subscriber'), 3)
})

test('while a host is down, subscribers of the others get their messages, and its own wait', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap' })
  await stage.hosts.get('skt')!.close()
  await waitFor('the loss to be noticed', async () => (await submitTo(stage, '0061')).kind === 'unreachable')
  const outcome = await submitTo(stage, '0062')
  assert.ok(outcome.kind === 'accepted' && outcome.carrier === '10002')
  assert.equal((await submitTo(stage, '0061')).kind, 'unreachable')
  assert.equal(stage.connector.linked, true)
})

test('a submission without an answer is repeated at the same host', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap', options: { responseTimeoutMs: 300 } })
  const skt = stage.hosts.get('skt')!
  const submission = rcsSubmission({ ...smsBody, to: '01012340001' }, { reference: nextReference() })
  skt.pause()
  assert.equal((await stage.connector.submit(submission)).kind, 'unknown')
  skt.resume()
  await waitFor('the delayed submission', () => skt.stats().accepted === 1)
  const repeated = await stage.connector.submit(submission)
  assert.ok(repeated.kind === 'accepted' && repeated.carrier === '10001')
  const others = ['kt', 'lgu'].map((name) => stage.hosts.get(name as 'kt')!.stats().accepted)
  assert.deepEqual([skt.stats().accepted, ...others], [1, 0, 0])
})
