import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  openOmniPeer,
  createPeerReport,
  type OmniPeer,
} from '../../../../test/contract/connector-conformance/omni-peer.ts'
import { recorded, submission, type Recorded } from '../../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { Step } from '../../../channels/channel.ts'
import { channels } from '../../../channels/registry.ts'
import type { Connector, ConnectorContext, Submission } from '../connector.ts'
import { createConnector, previewRequest, readOptions } from '../registry.ts'

interface TestBed extends Recorded {
  readonly peer: OmniPeer
  readonly connector: Connector
}

async function open(
  t: TestContext,
  options: object = {},
  openFile?: ConnectorContext['openFile'],
): Promise<TestBed> {
  const peer = await openOmniPeer()
  const record = recorded()
  const context = { ...record.context, ...(openFile && { openFile }) }
  const connector = createConnector('omni', { ...peer.options, ...options }, context)
  t.after(async () => {
    await connector.stop(100)
    await peer.close()
  })
  connector.start()
  await waitFor('the link', () => connector.linked)
  return { ...record, peer, connector }
}

let references = 0
const nextReference = (): string => `20261115000000000C00A${String(++references).padStart(11, '0')}-1-1-1`

function step(given: Step, more: Partial<Submission> = {}): Submission {
  const files = channels[given.channel].files(given)
  const validUntil = new Date(Date.now() + 86_400_000)
  return submission({ reference: nextReference(), given, part: null, files, validUntil, ...more })
}

/** Moves Date.now forward. */
function advanceClock(t: TestContext, ms: number): void {
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + ms)
}

const sms: Step = { channel: 'sms', from: '0212345678', text: 'Hi' }
const image = { bytes: Buffer.from('image'), contentType: 'image/jpeg' }

test('uses a simple send if sufficient, otherwise a flow of one message', async (t) => {
  const { peer, connector } = await open(t)
  const alimtalk = { senderKey: 's'.repeat(40), msgType: 'AT', templateCode: 'order', text: 'Order #{no}' }
  const button = [{ type: 'WL', name: 'Open', urlMobile: 'https://example.com/' }]
  const steps: readonly (readonly [Step, string])[] = [
    [{ ...sms, originCid: '123456789' }, '/v1/send/sms'],
    [{ ...sms, ttlSeconds: 600 }, '/v1/send/omni'],
    [{ channel: 'international', from: '0212345678', text: 'Hi' }, '/v1/send/international'],
    [{ channel: 'mms', content: { from: '0212345678', text: 'Long', fileKey: [] } }, '/v1/send/mms'],
    [{ channel: 'alimtalk', content: { ...alimtalk, button } }, '/v1/send/alimtalk'],
    [{ channel: 'alimtalk', content: { ...alimtalk, attachment: { button } } }, '/v1/send/omni'],
  ]
  for (const [given, path] of steps) {
    const sent = step(given)
    assert.equal((await connector.submit(sent)).kind, 'accepted')
    const { path: requested, body, headers } = peer.requests.at(-1)!
    assert.equal(requested, path)
    const preview = previewRequest('omni', peer.options, sent)!
    assert.deepEqual([preview.url, preview.headers.authorization], [peer.url + path, 'Bearer ***'])
    assert.deepEqual(JSON.parse(preview.body!), body)
    assert.equal(body.ref, sent.reference)
    assert.equal(body.fallback, undefined)
    assert.equal(headers['idempotency-key'], undefined)
  }
  assert.equal(peer.requests[0]!.body.originCID, '123456789')
  assert.deepEqual(peer.requests[1]!.body.messageFlow, [
    { sms: { from: '0212345678', text: 'Hi', ttl: '600' } },
  ])
  // Text that looks like a placeholder must arrive unchanged.
  assert.deepEqual(peer.requests[5]!.body.destinations, [
    { to: '01012345678', replaceWords: { no: '#{no}' } },
  ])
})

test('limits delivery at the service to the remaining time of the step', async (t) => {
  const { peer, connector } = await open(t)
  const rcs = (expiryOption: string): Step => ({
    channel: 'rcs',
    content: {
      from: '0212345678',
      formatId: 'SS000000',
      brandKey: 'BK.a',
      expiryOption,
      content: { standalone: { text: 'Hi' } },
    },
  })
  const mms: Step = { channel: 'mms', content: { from: '0212345678', text: 'Long' } }
  const ttlAfter = async (given: Step, leftMs: number): Promise<number | undefined> => {
    await connector.submit(step(given, { validUntil: new Date(Date.now() + leftMs) }))
    const { path, body } = peer.requests.at(-1)!
    if (path !== '/v1/send/omni') return undefined
    const [entry] = body.messageFlow as [Readonly<Record<string, { readonly ttl: string }>>]
    return Number(entry[given.channel]!.ttl)
  }
  assert.equal(await ttlAfter(sms, 5_500), 5)
  assert.equal(await ttlAfter(mms, 3_600_500), 3_600)
  assert.equal(await ttlAfter(rcs('2'), 20_500), 20)
  assert.equal(await ttlAfter(rcs('1'), 7_200_500), 7_200)
  // Just accepted: the limit of the service equals that of the step.
  for (const [given, seconds] of [
    [sms, 86_400],
    [mms, 86_400],
    [rcs('1'), 86_400],
    [rcs('2'), 40],
  ] as const)
    assert.equal(await ttlAfter(given, seconds * 1_000 - 3_000), undefined)
})

test('an image is uploaded once, and again if the service has removed it', async (t) => {
  const name = 'x'.repeat(60)
  const { peer, connector } = await open(t, {}, (file) =>
    Promise.resolve(file.startsWith('OURS') ? { key: file, name, ...image } : null),
  )
  const mms = (fileKey: string[]): Step => ({
    channel: 'mms',
    content: { from: '0212345678', text: 'x', fileKey },
  })
  await Promise.all([connector.submit(step(mms(['OURS1']))), connector.submit(step(mms(['OURS1'])))])
  const uploads = () => peer.requests.filter(({ path }) => path === '/v1/file/MMS')
  assert.equal(uploads().length, 1)
  assert.match(String(uploads()[0]!.body.raw), /name="file"; filename="x{40}"\r\nContent-Type: image\/jpeg/)
  // A file of the service itself is passed on.
  await connector.submit(step(mms(['OURS1', 'THEIRS'])))
  assert.deepEqual(peer.requests.at(-1)!.body.fileKey, ['FILE1', 'THEIRS'])

  peer.setNextResponse('/v1/send/mms', 400, { code: 'A217', result: 'Invalid fileKey' })
  assert.equal((await connector.submit(step(mms(['OURS1'])))).kind, 'accepted')
  assert.equal(uploads().length, 2)

  peer.setNextResponse('/v1/file/RCS', 400, { code: 'A206', result: 'Wrong file format' })
  const media = { standalone: { text: 'x', media: 'maapfile://OURS2' } }
  const rcs: Step = {
    channel: 'rcs',
    content: { from: '0212345678', formatId: 'SMwThM00', brandKey: 'b', content: media },
  }
  const refused = await connector.submit(step(rcs, { files: [{ key: 'OURS2', path: 'x', use: 'RCS' }] }))
  assert.deepEqual([refused.kind, 'cause' in refused && refused.cause], ['refused', 'attachment'])
})

test('a file that cannot be read or uploaded now leaves the message unsent', async (t) => {
  let available = false
  const { peer, connector } = await open(t, {}, (file) =>
    available
      ? Promise.resolve({ key: file, name: 'a.jpg', ...image })
      : Promise.reject(new Error('the store is unavailable')),
  )
  const mms: Step = { channel: 'mms', content: { from: '0212345678', text: 'x', fileKey: ['OURS'] } }
  assert.equal((await connector.submit(step(mms))).kind, 'unreachable')
  available = true
  peer.setNextResponse('/v1/file/', 500, { code: 'A999', result: 'Unknown error' })
  assert.equal((await connector.submit(step(mms))).kind, 'unreachable')
  assert.equal(peer.received.length, 0)
  assert.equal((await connector.submit(step(mms))).kind, 'accepted')
})

test('each response has its outcome', async (t) => {
  const { peer, connector } = await open(t)
  const cases: readonly (readonly [number, string, string, string, Record<string, string>?])[] = [
    [400, 'A306', 'refused', 'bad-number'],
    [400, 'A322', 'refused', 'spam'],
    [400, 'A327', 'refused', 'unregistered-sender'],
    [400, 'A328', 'refused', 'refused'],
    [400, 'A325', 'unreachable', ''],
    [429, '', 'throttled', ''],
    [500, 'A999', 'unknown', ''],
    [503, 'A920', 'unknown', ''],
    [503, 'A920', 'unknown', '', { 'message-accepted': 'perhaps' }],
    [503, 'A920', 'unreachable', '', { 'message-accepted': 'no' }],
    [503, 'A022', 'unknown', ''],
    [200, 'A000', 'unknown', ''],
  ]
  for (const [status, code, kind, cause, headers = {}] of cases) {
    peer.setNextResponse('/v1/send/', status, { code, result: 'Service busy: not accepted' }, headers)
    const outcome = await connector.submit(step(sms))
    assert.deepEqual([outcome.kind, 'cause' in outcome ? outcome.cause : ''], [kind, cause], code)
    assert.ok(connector.linked, code)
  }
  peer.setNextResponse('/v1/send/', 429, { code: 'A020', result: '' }, { 'retry-after': '7' })
  assert.deepEqual(await connector.submit(step(sms)), {
    kind: 'throttled',
    code: 'A020',
    retryAfterMs: 7_000,
  })
})

test('a refused account takes the link down, a refused channel does not', async (t) => {
  const { peer, connector, links, events } = await open(t)
  peer.setNextResponse('/v1/send/', 403, { code: 'A110', result: 'Blocked account' })
  assert.equal((await connector.submit(step(sms))).kind, 'unreachable')
  assert.deepEqual(links.at(-1), { up: false, reason: 'the service refuses the account: A110' })
  await waitFor('the link', () => connector.linked)
  peer.setNextResponse('/v1/report/polling', 403, { code: 'A802', result: 'No permission to Pull API' })
  await waitFor('the loss of the link', () => !connector.linked)
  assert.equal(events.filter((event) => event === 'account-refused').length, 2)
  await waitFor('the link', () => connector.linked)
  peer.setNextResponse('/v1/send/', 400, { code: 'A325', result: 'Channel not allowed' })
  assert.equal((await connector.submit(step(sms))).kind, 'unreachable')
  assert.ok(connector.linked)
  assert.ok(events.includes('channel-refused'))
})

test('reports why the first connection fails', async (t) => {
  const peer = await openOmniPeer()
  const { context, links, linkFailures } = recorded()
  peer.setNextResponse('/v1/auth/token', 401, { code: 'A101', result: 'Wrong password' })
  const options = { ...peer.options, loginPauseMs: 20, reconnectMinMs: 20 }
  const connector = createConnector('omni', options, context)
  t.after(async () => {
    await connector.stop(100)
    await peer.close()
  })
  connector.start()
  await waitFor('the reason', () => linkFailures.length > 0)
  assert.deepEqual(linkFailures, ['the service refuses the account: A101'])
  await waitFor('the link', () => connector.linked)
  assert.deepEqual(
    links.map(({ up }) => up),
    [true],
  )
  const unreachable = createConnector('omni', { ...options, url: 'http://127.0.0.1:1' }, context)
  t.after(() => unreachable.stop(100))
  unreachable.start()
  await waitFor('the second reason', () => linkFailures.length > 1)
  assert.match(linkFailures[1]!, /^cannot log in to the service: ./)
})

test('a repeat has the same key and body with idempotency', async (t) => {
  const { peer, connector } = await open(t, { idempotency: true })
  assert.equal(connector.repeatable, true)
  peer.setBehaviour('hang-up')
  const sent = step({ ...sms, ttlSeconds: 600 }, { validUntil: new Date(Date.now() + 10_200) })
  assert.equal((await connector.submit(sent)).kind, 'unknown')
  peer.setBehaviour('accept')
  advanceClock(t, 1_000)
  assert.equal((await connector.submit(sent)).kind, 'accepted')
  const [first, second] = peer.requests.filter(({ path }) => path === '/v1/send/omni')
  assert.deepEqual(second!.body, first!.body)
  assert.equal(first!.headers['idempotency-key'], sent.reference)
  assert.equal(second!.headers['idempotency-key'], sent.reference)
})

test('a batch with reports of other programs, malformed reports and unknown codes is acknowledged', async (t) => {
  const { peer, receipts, events } = await open(t, { causes: { '29999': 'phone-off' } })
  const reports = [
    null,
    { msgKey: 'M1' },
    { ...createPeerReport('M2', 'an unknown ref', '10000'), userType: 'N' },
    createPeerReport('M3', '', '12345'),
    createPeerReport('M4', '', '29999'),
    createPeerReport('M5', '', '33101'),
    createPeerReport('M6', '', '69999'),
    createPeerReport('M7', '', '32004'),
  ]
  assert.equal(await peer.offer(reports), true)
  assert.deepEqual(
    receipts.map(({ carrierId, cause, code }) => [carrierId, cause, code]),
    [
      ['M2', 'delivered', '10000'],
      ['M3', 'failed', '12345'],
      ['M4', 'phone-off', '29999'],
      ['M5', 'unsupported', '33101'],
      ['M6', 'failed', '69999'],
      ['M7', 'buffer-full', '32004'],
    ],
  )
  const [first] = receipts
  assert.deepEqual([first!.carrier, first!.userType, first!.reference], ['10001', 'N', undefined])
  assert.equal(first!.at?.toISOString(), '2026-11-15T03:00:01.000Z')
  assert.equal(events.filter((event) => event === 'malformed-receipt').length, 2)
})

test('a batch that another reader has acknowledged does not stop polling', async (t) => {
  const { peer, events } = await open(t)
  peer.setNextResponse('/v1/report/polling/', 400, { code: 'A805', result: 'Invalid Report ID(Pull API)' })
  const first = peer.offer([createPeerReport('M1', '', '10000')])
  await waitFor('the event', () => events.includes('acknowledged-elsewhere'))
  assert.equal(await first, false)
  assert.equal(await peer.offer([createPeerReport('M2', '', '10000')]), true)
})

test('a Retry-After of 0 does not make requests for results more frequent', async (t) => {
  const pollIntervalMs = 200
  const { peer, events } = await open(t, { pollIntervalMs })
  const [busy, started] = [{ code: 'A022', result: '' }, performance.now()]
  for (let nth = 0; nth < 3; nth++)
    peer.setNextResponse('/v1/report/polling', 503, busy, { 'retry-after': '0' })
  await waitFor('three failures', () => events.filter((event) => event === 'poll-failed').length === 3)
  const elapsed = performance.now() - started
  assert.ok(elapsed >= 2 * pollIntervalMs - 5, `three requests within ${elapsed} ms`)
})

test('results by stream are acknowledged for the consumer when they are stored', async (t) => {
  const { peer, connector, receipts } = await open(t, { results: 'stream', consumer: 'reseller' })
  const sent = step(sms)
  await connector.submit(sent)
  assert.equal(await peer.sendReceipt(peer.received[0]!, 'failed'), true)
  assert.deepEqual([receipts[0]!.reference, receipts[0]!.cause], [sent.reference, 'no-subscriber'])
  assert.equal(peer.requests.at(-1)!.path, '/v1/report/stream/reseller')
})

test('repeats a submission that was not accepted with its remaining time, or unchanged if the service requires it', async (t) => {
  const { peer, connector } = await open(t, { idempotency: true })
  const sent = step({ ...sms, ttlSeconds: 600 }, { validUntil: new Date(Date.now() + 10_200) })
  const busy = { code: 'A920', result: 'Service busy' }
  peer.setNextResponse('/v1/send/omni', 503, busy, { 'retry-after': '1', 'message-accepted': 'no' })
  assert.equal((await connector.submit(sent)).kind, 'throttled')
  advanceClock(t, 1_000)
  // A service that remembers the body of a refused request accepts no other body for its key.
  peer.setNextResponse('/v1/send/omni', 400, { code: 'A021', result: 'Idempotency-Key used before' })
  assert.equal((await connector.submit(sent)).kind, 'accepted')
  const [first, second, third] = peer.requests.map(({ body }) => JSON.stringify(body))
  assert.notEqual(second, first)
  assert.equal(third, first)
})

test('an unknown submission keeps its body until its outcome is certain', async (t) => {
  const { peer, connector } = await open(t, { idempotency: true })
  const sent = step({ ...sms, ttlSeconds: 600 }, { validUntil: new Date(Date.now() + 10_200) })
  const throttled = { code: 'A020', result: 'Rate limit exceeded' }
  peer.setBehaviour('hang-up')
  assert.equal((await connector.submit(sent)).kind, 'unknown')
  peer.setBehaviour('accept')
  advanceClock(t, 1_000)
  // A rate limit applies before the key is read, so its response does not concern the first request.
  for (let nth = 0; nth < 2; nth++) {
    peer.setNextResponse('/v1/send/omni', 429, throttled)
    assert.equal((await connector.submit(sent)).kind, 'throttled')
  }
  assert.equal((await connector.submit(sent)).kind, 'accepted')
  assert.equal(new Set(peer.requests.map(({ body }) => JSON.stringify(body))).size, 1)
})

test('the next owner repeats a submission with the body of the previous one', async (t) => {
  const { peer, connector } = await open(t, { idempotency: true })
  const nextOwner = createConnector('omni', { ...peer.options, idempotency: true }, recorded().context)
  t.after(() => nextOwner.stop(100))
  nextOwner.start()
  await waitFor('its link', () => nextOwner.linked)
  const mms: Step = { channel: 'mms', content: { from: '0212345678', text: 'Long' } }
  const withSeconds = (given: Step, seconds: number): Submission =>
    step(given, { validUntil: new Date(Date.now() + seconds * 1_000 + 500) })
  const sent = [
    withSeconds(sms, 86_399),
    withSeconds({ ...sms, ttlSeconds: 600 }, 598),
    withSeconds(mms, 3_601),
    withSeconds({ ...sms, ttlSeconds: 60 }, 58),
  ]
  peer.setBehaviour('hang-up')
  for (const flow of sent) assert.equal((await connector.submit(flow)).kind, 'unknown')
  peer.setBehaviour('accept')
  // A simple send would have become a flow meanwhile.
  for (const [repeats, passedMs] of [
    [sent.slice(3), 7_000],
    [sent.slice(0, 3), 45_000],
  ] as const) {
    advanceClock(t, passedMs)
    for (const repeat of repeats) {
      const outcome = await nextOwner.submit(repeat)
      assert.equal(outcome.kind, 'accepted', JSON.stringify([outcome, repeat.given]))
    }
  }
  assert.equal(peer.received.length, sent.length)
})

test('a text that a firewall before the service refuses affects no other message', async (t) => {
  const { peer, connector, links } = await open(t)
  const before = peer.tokenRequests
  for (const status of [403, 413]) {
    peer.setNextResponse('/v1/send/sms', status, { html: 'Request blocked' })
    const outcome = await connector.submit(step(sms))
    assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], ['refused', `http:${status}`])
  }
  assert.equal(peer.tokenRequests, before + 1)
  assert.equal((await connector.submit(step(sms))).kind, 'accepted')
  assert.equal(links.length, 1)
})

test('a proxy refusal does not refuse the message while the account is refused', async (t) => {
  const { peer, connector } = await open(t, { reconnectMinMs: 10, loginPauseMs: 10 })
  peer.setNextResponse('/v1/send/sms', 403, { html: 'Request blocked' })
  peer.setNextResponse('/v1/auth/token', 403, { html: 'Request blocked' })
  assert.equal((await connector.submit(step(sms))).kind, 'unreachable')
  assert.ok(!connector.linked)
  await waitFor('the link', () => connector.linked)
})

test('unreadable results are logged once, and take the link down after a while', async (t) => {
  const { peer, connector, links, events, lines } = await open(t, {
    resultsTimeoutMs: 50,
    reconnectMinMs: 10,
  })
  const broken = setInterval(() => peer.setNextResponse('/v1/report/polling', 500, { code: 'A999' }), 1)
  await waitFor('the loss of the link', () => !connector.linked)
  clearInterval(broken)
  assert.equal(links.at(-1)!.reason, 'service unreachable: A999')
  assert.ok(events.includes('poll-failed'))
  assert.equal(lines.filter(({ text }) => text.startsWith('cannot read results')).length, 1)
})

test('an error in the login of the connector ends neither the connector nor the process', async (t) => {
  const peer = await openOmniPeer()
  const record = recorded()
  let failures = 0
  const onEvent = (): void => {
    if (++failures === 1) throw new Error('any error of a dependency')
  }
  const connector = createConnector(
    'omni',
    { ...peer.options, reconnectMinMs: 10 },
    { ...record.context, onEvent },
  )
  t.after(async () => {
    await connector.stop(100)
    await peer.close()
  })
  connector.start()
  await waitFor('the link', () => connector.linked)
  assert.equal(record.lines.filter(({ level }) => level === 'error').length, 1)
})

test('rejects credentials unfit for headers and invalid URLs when stored', () => {
  const options = { url: 'https://api.example.net', clientId: 'acme', password: 'secret08' }
  for (const [name, value] of [
    ['password', 'a\nb'],
    ['password', '비밀번호'],
    ['clientId', 'a\0'],
    ['url', 'http://host:99999'],
    ['url', 'http://[::1'],
  ] as const)
    assert.throws(
      () => readOptions('omni', { ...options, [name]: value }),
      new RegExp(`omni options: ${name} must`),
    )
})
