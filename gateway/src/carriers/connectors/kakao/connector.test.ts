import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openKakaoPeer, type KakaoPeer } from '../../../../test/contract/connector-conformance/kakao-peer.ts'
import { alimtalk, flowSubmission, senderKey } from '../../../../test/support/carriers/kakao-messages.ts'
import { recorded, type Recorded } from '../../../../test/support/smpp/fixtures.ts'
import { assertWithin, waitFor } from '../../../../test/support/wait.ts'
import type { Connector, ConnectorContext, Receipt, Submission } from '../connector.ts'
import { createConnector, findCarrierIdFor, readOptions } from '../registry.ts'
import { kakaoUploadRequest } from './images.ts'
import type { KakaoOptions, ResponseMethod } from './options.ts'
import { serialBase } from './serial.ts'

interface Opened {
  readonly peer: KakaoPeer
  readonly connector: Connector
  readonly record: Recorded
}

interface Given {
  readonly options?: object
  readonly context?: Partial<ConnectorContext>
  readonly onReceipt?: (receipt: Receipt) => Promise<void>
}

async function open(t: TestContext, method: ResponseMethod, given: Given = {}): Promise<Opened> {
  const peer = await openKakaoPeer(method)
  const record = recorded(given.onReceipt)
  const connector = createConnector(
    'kakao',
    { ...peer.options, ...given.options },
    { ...record.context, ...given.context },
  )
  connector.start()
  t.after(async () => {
    await connector.stop(100)
    await peer.close()
  })
  return { peer, connector, record }
}

let references = 0

function next(overrides: Partial<Submission> = {}): Submission {
  const reference = `20261115000000000C00A${String(++references).padStart(11, '0')}-1-1-1`
  return flowSubmission('alimtalk', alimtalk, { reference, ...overrides })
}

const entry = (reference: string, status = '0000') => ({
  serial_number: serialBase(reference),
  status,
  received_at: '2026-11-15 13:04:27',
})

test('realtime: stores the receipt before returning the outcome, with retries', async (t) => {
  let refusals = 2
  const { connector, record } = await open(t, 'realtime', {
    onReceipt: () =>
      refusals-- > 0 ? Promise.reject(new Error('the broker is unavailable')) : Promise.resolve(),
  })
  const submission = next()
  const outcome = await connector.submit(submission)
  assert.deepEqual(outcome, { kind: 'accepted', carrierId: serialBase(submission.reference) })
  assert.equal(record.receipts.length, 3)
  const [receipt] = record.receipts
  assert.deepEqual(
    [receipt!.carrierId, receipt!.result, receipt!.at?.toISOString()],
    [serialBase(submission.reference), 'delivered', '2026-11-15T04:04:27.000Z'],
  )
})

test('realtime: a result that cannot be stored does not hold up a stop', async (t) => {
  const { connector, record, peer } = await open(t, 'realtime', {
    onReceipt: () => new Promise(() => undefined),
  })
  void connector.submit(next())
  await waitFor('the receipt', () => record.receipts.length === 1)
  const started = performance.now()
  await connector.stop(100)
  assertWithin('the stop', performance.now() - started, 5_000)
  assert.equal(peer.sends.length, 1)
})

test('polling: a batch is completed only after every receipt in it is stored', async (t) => {
  const last = Promise.withResolvers<undefined>()
  let stored = 0
  const { peer, record } = await open(t, 'polling', {
    onReceipt: async () => {
      if (++stored === 3) await last.promise
    },
  })
  let completed: boolean | undefined
  const fail = [entry('c', '3019')]
  const offered = peer
    .offer({ success: [entry('a'), entry('b'), { serial_number: 7 }], fail })
    .then((answer) => (completed = answer))
  await waitFor('the receipts', () => record.receipts.length === 3)
  assert.equal(completed, undefined)
  last.resolve(undefined)
  await offered
  assert.equal(completed, true)
  assert.deepEqual(
    record.receipts.map(({ carrierId, cause }) => [carrierId, cause]),
    [
      [serialBase('a'), 'delivered'],
      [serialBase('b'), 'delivered'],
      [serialBase('c'), 'no-subscriber'],
    ],
  )
  assert.deepEqual(record.events, ['malformed-receipt'])
})

test('polling: a batch is returned again and completed after a crash before its completion', async (t) => {
  const { peer, record, connector } = await open(t, 'polling')
  await connector.stop()
  // Another owner stored the batch and died before it completed it.
  const dyingRecord = recorded(() => new Promise(() => undefined))
  const dying = createConnector('kakao', peer.options, dyingRecord.context)
  const polled = peer.offer({ success: [entry('a')], fail: [] })
  dying.start()
  await waitFor('the receipt', () => dyingRecord.receipts.length === 1)
  void dying.stop(1)
  const successor = createConnector('kakao', peer.options, record.context)
  successor.start()
  t.after(() => successor.stop(100))
  // The peer reports that it was polled again; it offers the batch once more, as Kakao does.
  assert.equal(await polled, false)
  assert.equal(await peer.offer({ success: [entry('a')], fail: [] }), true)
  assert.deepEqual(record.receipts, dyingRecord.receipts)
})

test('polling: a batch of 20,000 results is stored in portions and completed', async (t) => {
  let storing = 0
  let most = 0
  const { peer, record } = await open(t, 'polling', {
    options: { responseTimeoutMs: 20_000 },
    onReceipt: async () => {
      most = Math.max(most, ++storing)
      await Promise.resolve()
      storing--
    },
  })
  const success = Array.from({ length: 20_000 }, () => entry('a'))
  assert.equal(await peer.offer({ success, fail: [] }), true)
  assert.equal(record.receipts.length, 20_000)
  assert.ok(most <= 1_000, `${most} at once`)
})

test('polling: only the first owner of a route polls', async (t) => {
  const { peer, connector } = await open(t, 'polling', { context: { isFirstOwner: false } })
  assert.equal((await connector.submit(next())).kind, 'accepted')
  await connector.submit(next())
  assert.equal(peer.polls, 0)
})

test('polling: a response without results is no failure, and a batch id can be a string', async (t) => {
  const { peer, record } = await open(t, 'polling')
  peer.setNextResponse('responseAll', 200, { code: '4000', message: 'ResponseHistoryNotFoundException' })
  peer.setNextResponse('responseAll', 200, {
    code: '0000',
    response_id: '7',
    response: { success: [entry('a')] },
  })
  peer.setNextResponse('response/7/complete', 200, { code: '0000' })
  await waitFor('the receipt', () => record.receipts.length === 1)
  assert.equal(await peer.offer({ success: [entry('b')], fail: [] }), true)
  assert.deepEqual([record.events, record.lines], [[], []])
})

test('polling: completes a batch whose id exceeds 2^53 with all digits', async (t) => {
  const { peer, record } = await open(t, 'polling')
  const id = '9007199254740993'
  const batch = { code: '0000', response_id: 0, response: { success: [entry('a')] } }
  peer.setNextResponse(
    'responseAll',
    200,
    JSON.stringify(batch).replace('"response_id":0', `"response_id":${id}`),
  )
  peer.setNextResponse(`response/${id}/complete`, 200, { code: '0000' })
  await waitFor('the receipt', () => record.receipts.length === 1)
  assert.equal(await peer.offer({ success: [entry('b')], fail: [] }), true)
  assert.deepEqual([record.events, record.lines], [[], []])
})

test('polling: the list of a result decides, and its code is kept', async (t) => {
  const { peer, record } = await open(t, 'polling')
  const success = [entry('a', 'SUCCESS'), entry('b', '1000'), entry('c', '3005')]
  assert.equal(await peer.offer({ success, fail: [entry('d'), entry('e', '3005')] }), true)
  assert.deepEqual(
    record.receipts.map(({ result, cause, code }) => [result, cause, code]),
    [
      ['delivered', 'delivered', 'SUCCESS'],
      ['delivered', 'delivered', '1000'],
      ['delivered', 'delivered', '3005'],
      ['failed', 'failed', '0000'],
      ['pending', 'temporary-failure', '3005'],
    ],
  )
})

test('polling: a failed request is retried with pauses and logged once', async (t) => {
  const { peer, record } = await open(t, 'polling')
  peer.setNextResponse('responseAll', 500, { code: '9999' })
  peer.setNextResponse('responseAll', 200, {
    code: '0000',
    response_id: 'x',
    response: { success: [entry('a')] },
  })
  await waitFor('both failures', () => record.events.length === 2)
  assert.equal(await peer.offer({ success: [entry('b')], fail: [] }), true)
  await waitFor('both lines', () => record.lines.map(({ level }) => level).join(' ') === 'warn info')
})

test('resubmits a message that was not accepted with a new serial number and the same id', async (t) => {
  const { peer, connector } = await open(t, 'polling')
  const submission = next()
  peer.setBehaviour('throttle')
  assert.equal((await connector.submit(submission)).kind, 'throttled')
  peer.setBehaviour('fail')
  assert.equal((await connector.submit(submission)).kind, 'unreachable')
  peer.setBehaviour('accept')
  const outcome = await connector.submit(submission)
  const base = serialBase(submission.reference)
  assert.deepEqual(outcome, { kind: 'accepted', carrierId: base })
  assert.deepEqual(
    peer.sends.map((body) => body['serial_number']),
    [base, `${base}-01`, `${base}-02`],
  )
  assert.equal(connector.carrierIdFor!(submission.reference), base)
  assert.equal(findCarrierIdFor('kakao', peer.options)!(submission.reference), base)
})

test('a duplicate serial number is unknown, or delivered if the route is repeatable', async (t) => {
  for (const [repeatable, kind, results] of [
    [false, 'unknown', []],
    [true, 'accepted', ['delivered', 'delivered']],
  ] as const) {
    const { peer, connector, record } = await open(t, 'push', { options: { repeatable } })
    assert.equal(connector.repeatable, repeatable)
    for (const code of ['3012', '4131']) {
      peer.setNextResponse('alimtalk/send', 200, { code })
      assert.equal((await connector.submit(next())).kind, kind)
    }
    assert.deepEqual(
      record.receipts.map(({ result }) => result),
      results,
    )
  }
})

test('repeatable keeps the serial number of every submission of a message', async (t) => {
  const { peer, connector } = await open(t, 'realtime', {
    options: { repeatable: true },
    context: {
      openFile: (key) =>
        Promise.resolve({ key, bytes: Buffer.from('x'), contentType: 'image/png', name: 'a.png' }),
    },
  })
  const submission = next()
  const kinds: string[] = []
  // The first submission may have been accepted; a temporary error or a throttled repeat does not show whether it was.
  for (const behaviour of ['hang-up', 'fail', 'throttle', 'accept'] as const) {
    peer.setBehaviour(behaviour)
    kinds.push((await connector.submit(submission)).kind)
  }
  assert.deepEqual(kinds, ['unknown', 'unreachable', 'throttled', 'accepted'])
  const withImage = bubbleTo('https://ours/a')
  peer.setNextResponse('brand/path', 200, { code: '9998' })
  assert.equal((await connector.submit(withImage)).kind, 'unreachable')
  peer.setNextResponse('brand/path', 200, { code: '3024' })
  assert.equal((await connector.submit(withImage)).kind, 'accepted')
  const serials = peer.sends.map((body) => body['serial_number'])
  const [base, ofImage] = [submission, withImage].map(({ reference }) => serialBase(reference))
  assert.deepEqual(serials, [base, base, base, base, ofImage])
})

test('codes in the options take precedence over the table', async (t) => {
  const { peer, connector, record } = await open(t, 'realtime', {
    options: { codes: { 3005: 'accepted', 3016: 'spam', 7777: 'throttled' } },
  })
  const outcomes: string[] = []
  for (const code of ['3005', '3016', '7777']) {
    peer.setNextResponse('alimtalk/send', 200, { code })
    const outcome = await connector.submit(next())
    outcomes.push(outcome.kind === 'refused' ? outcome.cause : outcome.kind)
  }
  assert.deepEqual(outcomes, ['accepted', 'spam', 'throttled'])
  assert.deepEqual(
    record.receipts.map(({ result, code }) => [result, code]),
    [['delivered', '3005']],
  )
})

test('a refused partner key takes the link down for a while; no message is refused', async (t) => {
  const { peer, connector, record } = await open(t, 'realtime')
  peer.setNextResponse('alimtalk/send', 200, { code: '1002' })
  assert.equal((await connector.submit(next())).kind, 'unreachable')
  assert.equal(connector.linked, false)
  assert.equal((await connector.submit(next())).kind, 'unreachable')
  assert.deepEqual(record.events, ['account-refused'])
  await waitFor('the link', () => connector.linked)
  assert.equal((await connector.submit(next())).kind, 'accepted')
  assert.doesNotMatch(JSON.stringify(record.lines), /partner-key|01012345678/)
})

test('a 403 or 404 without a code refuses only its message, unless Kakao refuses the partner key', async (t) => {
  const { peer, connector, record } = await open(t, 'realtime', {
    context: {
      openFile: (key) =>
        Promise.resolve({ key, bytes: Buffer.from('x'), contentType: 'image/png', name: 'a.png' }),
    },
  })
  peer.setNextResponse('alimtalk/send', 403, '<html>blocked</html>')
  // The check of the account.
  peer.setNextResponse('alimtalk/send', 400, { code: '1001' })
  assert.equal((await connector.submit(next())).kind, 'refused')
  peer.setNextResponse('image/default', 404, '<html>not found</html>')
  const outcome = await connector.submit(bubbleTo('https://ours/a'))
  assert.ok(outcome.kind === 'refused' && outcome.cause === 'attachment')
  assert.equal(connector.linked, true)
  assert.equal((await connector.submit(next())).kind, 'accepted')
  assert.deepEqual(record.events, ['refused-without-code', 'refused-without-code'])

  const closed = await open(t, 'realtime')
  for (let n = 0; n < 2; n++) closed.peer.setNextResponse('alimtalk/send', 403, '<html>blocked</html>')
  assert.equal((await closed.connector.submit(next())).kind, 'unreachable')
  assert.deepEqual([closed.connector.linked, closed.record.events], [false, ['account-refused']])
})

const bubble = (imgUrl: string, msgType = 'FI') => ({
  senderKey,
  msgType,
  text: '사진',
  attachment: { image: { imgUrl } },
})

function bubbleTo(imgUrl: string, msgType?: string): Submission {
  return {
    ...next(),
    ...fields(flowSubmission('brandmessage', { ...bubble(imgUrl, msgType), sendType: 'free' })),
  }
}

const fields = ({ message, given, files }: Submission): Partial<Submission> => ({ message, given, files })

test('images: uploaded once for the same octets and bubble, again when Kakao refuses the URL', async (t) => {
  const reads: string[] = []
  const { peer, connector } = await open(t, 'realtime', {
    context: {
      openFile: (key) => {
        reads.push(key)
        if (key === 'https://elsewhere') return Promise.resolve(null)
        const bytes = Buffer.from(key.endsWith('copy') ? 'https://ours/a' : key)
        return Promise.resolve({ key, bytes, contentType: 'image/jpeg', name: 'a.jpg' })
      },
    },
  })
  const sent = async (submission: Submission): Promise<unknown> => {
    assert.equal((await connector.submit(submission)).kind, 'accepted')
    return (peer.sends.at(-1) as { attachment: { image: { img_url: string } } }).attachment.image.img_url
  }
  const [first, second] = await Promise.all([
    connector.submit(bubbleTo('https://ours/a')),
    connector.submit(bubbleTo('https://ours/a')),
  ])
  assert.deepEqual([first.kind, second.kind], ['accepted', 'accepted'])
  const imageUrl = 'https://mud-kage.kakao.com/dn/1/img.jpg'
  assert.equal(await sent(bubbleTo('https://ours/a')), imageUrl)
  assert.equal(await sent(bubbleTo('https://ours/copy')), imageUrl)
  assert.deepEqual(reads, ['https://ours/a', 'https://ours/copy'])
  assert.equal(peer.uploads.length, 1)
  assert.equal(await sent(bubbleTo('https://elsewhere')), 'https://elsewhere')

  assert.equal(await sent(bubbleTo('https://ours/a', 'FW')), 'https://mud-kage.kakao.com/dn/2/img.jpg')
  assert.deepEqual(
    peer.uploads.map(({ path }) => path),
    ['v2/image/default', 'v2/image/wide'],
  )
  assert.match(
    peer.uploads[0]!.body,
    /name="image"; filename="a\.jpg"\r\nContent-Type: image\/jpeg\r\n\r\nhttps:/,
  )

  // Kakao has removed it.
  peer.setNextResponse('brand/path', 200, { code: '3024' })
  assert.equal(await sent(bubbleTo('https://ours/a')), 'https://mud-kage.kakao.com/dn/3/img.jpg')
  // An image that was just uploaded cannot have expired, so the message is refused.
  peer.setNextResponse('brand/path', 200, { code: '3024' })
  const refused = await connector.submit(bubbleTo('https://ours/new'))
  assert.ok(refused.kind === 'refused' && refused.cause === 'attachment')
})

test('images: every form has an unpredictable boundary', () => {
  const options = readOptions('kakao', { partnerKey: 'key' }) as KakaoOptions
  const requestOf = (bytes: Buffer): ReturnType<typeof kakaoUploadRequest> =>
    kakaoUploadRequest(options, { key: 'k', bytes, contentType: 'image/png', name: 'a.png' }, 'image/default')
  const boundaryOf = (bytes: Buffer): string =>
    requestOf(bytes).headers['content-type']!.replace(/^.*boundary=/, '')
  const boundary = boundaryOf(Buffer.from('x'))
  const forged = Buffer.from(`x\r\n--${boundary}--\r\n`)
  assert.ok(!forged.includes(boundaryOf(forged)))
  assert.match(boundary, /^postern-[0-9a-f]{32}$/)
})

test('images: a message whose image cannot be read or uploaded is not sent', async (t) => {
  let available = false
  const { peer, connector } = await open(t, 'realtime', {
    context: {
      openFile: (key) =>
        available
          ? Promise.resolve({ key, bytes: Buffer.from('x'), contentType: 'image/png', name: 'a.png' })
          : Promise.reject(new Error('the store is unavailable')),
    },
  })
  assert.equal((await connector.submit(bubbleTo('https://ours/a'))).kind, 'unreachable')
  available = true
  const results: string[] = []
  for (const [status, body] of [
    [429, {}],
    [400, { code: '3024' }],
    [500, {}],
    [200, { code: '0000' }],
    [200, { code: '0000', image: 'javascript:alert(1)' }],
  ] as const) {
    peer.setNextResponse('image/default', status, body)
    const outcome = await connector.submit(bubbleTo('https://ours/a'))
    results.push(outcome.kind === 'refused' ? outcome.cause : outcome.kind)
  }
  assert.deepEqual(results, ['throttled', 'attachment', 'unreachable', 'unreachable', 'unreachable'])
  assert.equal(peer.sends.length, 0)
})

test('friendtalk is refused unless the route converts it, and nothing is submitted', async (t) => {
  const { peer, connector, record } = await open(t, 'realtime')
  const outcome = await connector.submit(flowSubmission('friendtalk', bubble('https://ours/a')))
  assert.ok(outcome.kind === 'refused')
  assert.deepEqual([outcome.cause, outcome.code], ['unsupported', 'kakao:friendtalk-ended'])
  assert.match(outcome.text, /2025-12-31.*set friendtalk to convert/)
  assert.deepEqual([peer.sends.length, peer.uploads.length], [0, 0])
  assert.deepEqual(record.events, ['not-submitted'])
  assert.deepEqual(
    record.lines.map(({ level }) => level),
    ['warn'],
  )
})

test('converted friendtalk is a brand message to friends, with an image for brand messages', async (t) => {
  const { peer, connector } = await open(t, 'realtime', {
    options: { friendtalk: 'convert' },
    context: {
      openFile: (key) =>
        Promise.resolve({ key, bytes: Buffer.from('x'), contentType: 'image/png', name: 'a.png' }),
    },
  })
  const outcome = await connector.submit(flowSubmission('friendtalk', bubble('https://ours/a', 'FW')))
  assert.equal(outcome.kind, 'accepted')
  const [sent] = peer.sends
  assert.deepEqual([sent!['chat_bubble_type'], sent!['targeting']], ['WIDE', 'I'])
  assert.deepEqual(
    peer.uploads.map(({ path }) => path),
    ['v2/image/wide'],
  )
})

const link = { type: 'WL', name: '보기', urlMobile: 'https://m.example.com' }
const image = { imgUrl: 'https://mud-kage.kakao.com/dn/1/img.jpg' }
const commerce = { title: '외투', regularPrice: 90_000 }
const head = { header: '소개', content: '새 상품', imageUrl: image.imgUrl }
const feed = (cards: number) => ({
  senderKey,
  msgType: 'FC',
  carousel: {
    list: Array.from({ length: cards }, () => ({
      header: '제목',
      message: '본문',
      attachment: { image, button: [link] },
    })),
  },
})
const products = (cards: number, opening: object = {}) => ({
  senderKey,
  msgType: 'FA',
  carousel: {
    ...opening,
    list: Array.from({ length: cards }, () => ({ attachment: { image, button: [link], commerce } })),
  },
})
const withButton = (button: object) => ({
  senderKey,
  msgType: 'FT',
  text: 'x',
  attachment: { button: [button] },
})

test('friendtalk beyond the limits of a brand message is refused with the limit', async (t) => {
  const { connector } = await open(t, 'realtime', { options: { friendtalk: 'convert', brandAdFlag: false } })
  const long = { ...link, urlMobile: `https://m.example.com/${'x'.repeat(31_000)}` }
  const cases: [content: object, expected: string][] = [
    [feed(6), 'accepted'],
    [feed(7), 'kakao:friendtalk-cards'],
    [products(5, { head }), 'accepted'],
    [products(6), 'accepted'],
    [products(6, { head }), 'kakao:friendtalk-cards'],
    [withButton({ type: 'AC', name: '채널 추가' }), 'kakao:friendtalk-button'],
    [withButton({ type: 'DS', name: '배송 조회' }), 'kakao:friendtalk-button'],
    [withButton(long), 'kakao:friendtalk-size'],
    [{ ...withButton(link), adFlag: 'N' }, 'kakao:friendtalk-ad-flag'],
  ]
  for (const [given, expected] of cases) {
    const submission = { ...next(), ...fields(flowSubmission('friendtalk', given)) }
    const outcome = await connector.submit(submission)
    assert.equal(
      outcome.kind === 'refused' ? outcome.code : outcome.kind,
      expected,
      JSON.stringify(given).slice(0, 200),
    )
  }
})

test('brand messages are refused without a brandPath', async (t) => {
  const { peer, connector } = await open(t, 'realtime', { options: { brandPath: undefined } })
  const outcome = await connector.submit(bubbleTo('https://ours/a'))
  assert.ok(outcome.kind === 'refused' && outcome.code === 'kakao:brand-path')
  assert.equal(peer.sends.length, 0)
})

test('other channels and contradictory options are refused', async (t) => {
  const { connector } = await open(t, 'realtime')
  const outcome = await connector.submit({ ...next(), message: { channel: 'sms', content: { text: 'x' } } })
  assert.ok(outcome.kind === 'refused' && outcome.cause === 'unsupported')
  const required = { partnerKey: 'key' }
  for (const originCode of ['123456789', 'K1234', 'A'.repeat(20)])
    assert.equal(readOptions('kakao', { ...required, originCode })['originCode'], originCode)
  for (const originCode of ['', 'A'.repeat(21), '123-456'])
    assert.throws(
      () => readOptions('kakao', { ...required, originCode }),
      /originCode must be 1 to 20 digits and letters/,
    )
  assert.throws(
    () => readOptions('kakao', { ...required, results: { AI: 'polling' } }),
    /channelKey is required/,
  )
  assert.throws(() => readOptions('kakao', { ...required, friendtalk: 'convert' }), /brandPath is required/)
  assert.throws(() => readOptions('kakao', { partnerKey: 'a/b' }), /partnerKey/)
  assert.throws(() => readOptions('kakao', { ...required, tls: { ca: 'x' } }), /tls\.ca must be/)
  assert.throws(() => readOptions('kakao', { ...required, url: 'http://a:999999' }), /url must be/)
})
