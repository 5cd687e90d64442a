/** Tokens, ported numbers, hosts that are down and uploaded files, with simulated hosts. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { rcsSubmission, relayOptions, smsBody } from '../../../test/support/maap.ts'
import { image, openMaapStage, type MaapStage } from '../../../test/support/maap-simulator.ts'
import { recorded } from '../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { SubmitOutcome } from '../connector.ts'
import { createConnector } from '../registry.ts'

let references = 0
const nextReference = (): string => `20261115000000000C00B${String(++references).padStart(11, '0')}-1-1-1`

function submit({ connector }: MaapStage, ending: string, body: object = {}): Promise<SubmitOutcome> {
  const request = { ...smsBody, to: `0101234${ending}`, ...body }
  return connector.submit(rcsSubmission(request, { reference: nextReference() }))
}

const withMedia = (...keys: string[]) => ({
  formatId: `CMwMhM0${keys.length}00`,
  content: { carousel: keys.map((key) => ({ title: key, text: key, media: `maapfile://${key}` })) },
})

const count = ({ record }: MaapStage, event: string): number =>
  record.events.filter((one) => one === event).length

const control = (stage: MaapStage, name: 'skt' | 'kt' | 'lgu' | 'kt-relay', path: string) =>
  fetch(`http://127.0.0.1:${stage.hosts.get(name)!.controlPort}${path}`, { method: 'POST' })

test('a token is renewed before it expires', async (t) => {
  const stage = await openMaapStage(t, {
    kind: 'maap-kt',
    options: { tokenMarginMs: 900 },
    simulator: { tokenTtlMs: 1_000 },
  })
  await waitFor('two renewals', () => count(stage, 'token-renewed') >= 3)
  assert.equal((await submit(stage, '0001')).kind, 'accepted')
  assert.equal(stage.hosts.get('kt-relay')!.stats().refused, 0)
  assert.equal(stage.record.links.length, 1, 'the link stays up')
})

test('many submissions with an expired token request one new token', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap-kt' })
  await control(stage, 'kt-relay', '/expire-tokens')
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => submit(stage, '0001')))
  for (const outcome of outcomes) assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome))
  assert.equal(count(stage, 'token-renewed'), 2)
  assert.equal(stage.hosts.get('kt-relay')!.stats().accepted, 30)
})

test('a refused login is not asked for again before its pause, and is no refusal of messages', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap-kt' })
  const { context, events, lines } = stage.record
  events.length = 0
  const options = { ...stage.options, rcsSecret: 'wrong', accountRetryMs: 60_000 }
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

test('the carrier of a ported number is remembered', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap' })
  for (const misses of [2, 2, 2]) {
    const outcome = await submit(stage, '0063')
    assert.ok(outcome.kind === 'accepted' && outcome.carrier === '10003')
    assert.equal(count(stage, 'not-subscriber'), misses)
  }
  assert.equal(stage.hosts.get('skt')!.stats().accepted, 0)
})

test('a number that no carrier knows ends as no-subscriber', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap', options: { codes: { '55817': 'not-subscriber' } } })
  const outcome = await submit(stage, '0008')
  assert.ok(outcome.kind === 'refused' && outcome.cause === 'no-subscriber')
  assert.equal(count(stage, 'not-subscriber'), 3)
})

test('while a host is down, subscribers of the others get their messages, and its own wait', async (t) => {
  const stage = await openMaapStage(t, { kind: 'maap' })
  await stage.hosts.get('skt')!.close()
  await waitFor('the loss to be noticed', async () => (await submit(stage, '0061')).kind === 'unreachable')
  const outcome = await submit(stage, '0062')
  assert.ok(outcome.kind === 'accepted' && outcome.carrier === '10002')
  assert.equal((await submit(stage, '0061')).kind, 'unreachable')
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

test('a file is uploaded once for each content and host, and again when the host has lost it', async (t) => {
  const opened: string[] = []
  const stage = await openMaapStage(t, {
    kind: 'maap',
    context: {
      openFile: (key) => {
        opened.push(key)
        // a and b have the same content.
        const bytes = image(key.endsWith('c') ? 'c' : 'a')
        return Promise.resolve({ key, bytes, contentType: 'image/png', name: 'a.png' })
      },
    },
  })
  const media = withMedia('a', 'b', 'c')
  for (const outcome of await Promise.all(Array.from({ length: 30 }, () => submit(stage, '0001', media))))
    assert.equal(outcome.kind, 'accepted')
  assert.equal(count(stage, 'file-uploaded'), 2)
  assert.equal(opened.length, 3)
  assert.equal((await submit(stage, '0062', media)).kind, 'accepted')
  assert.equal(count(stage, 'file-uploaded'), 4, 'to KT as well')
  stage.hosts.get('skt')!.reset()
  assert.equal((await submit(stage, '0001', media)).kind, 'accepted')
  assert.equal(count(stage, 'file-forgotten'), 1)
})

test('a file is not used after it has expired at the host', async (t) => {
  const openFile = (key: string) =>
    Promise.resolve({ key, bytes: image(key), contentType: 'image/png', name: 'a.png' })
  const stage = await openMaapStage(t, {
    kind: 'maap-kt',
    simulator: { fileTtlMs: 300 },
    context: { openFile },
  })
  assert.equal((await submit(stage, '0001', withMedia('a', 'b'))).kind, 'accepted')
  await waitFor('another upload', async () => {
    await submit(stage, '0001', withMedia('a', 'b'))
    return count(stage, 'file-uploaded') === 4
  })
  await waitFor(
    'all statuses',
    () => stage.record.receipts.length === stage.hosts.get('kt-relay')!.stats().accepted,
  )
  assert.ok(stage.record.receipts.every(({ result }) => result === 'delivered'))
})

test('a file that cannot be read or is refused decides the outcome, and nothing is submitted', async (t) => {
  const stage = await openMaapStage(t, {
    kind: 'maap',
    context: {
      openFile: (key) => {
        if (key.endsWith('a')) return Promise.reject(new Error('the store is unavailable'))
        const bytes = Buffer.from('not an image')
        return Promise.resolve({ key, bytes, contentType: 'image/png', name: 'a.png' })
      },
    },
  })
  assert.equal((await submit(stage, '0001', withMedia('a', 'a'))).kind, 'unreachable')
  const refused = await submit(stage, '0001', withMedia('b', 'b'))
  assert.ok(refused.kind === 'refused' && refused.cause === 'attachment' && refused.code === '53001')
  assert.equal(stage.hosts.get('skt')!.stats().submits, 0)
})
