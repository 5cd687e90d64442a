/** Verification accepts what the gateway signs, by the library that it signs with, and nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { receiveWebhook, verifyWebhook, WebhookVerificationError } from './index.ts'

const secrets = ['a', 'b'].map((letter) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`)
const [secret, other] = secrets as [string, string]
const body = JSON.stringify({ msgKey: 'K1', reportCode: '10000', ref: '주문' })

function signHeaders(by: readonly string[], seconds = 0, text = body): Record<string, string> {
  const at = new Date(Date.now() + seconds * 1000)
  return {
    'webhook-id': 'K1-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': by.map((one) => new Webhook(one).sign('K1-1', at, text)).join(' '),
  }
}

test('accepts a text, bytes, Headers and records', async () => {
  const headers = signHeaders([secret])
  for (const content of [body, new TextEncoder().encode(body)]) {
    for (const given of [headers, new Headers(headers)]) {
      const { id, report } = await verifyWebhook(content, given, { secret })
      assert.deepEqual([id, report?.msgKey, report?.ref], ['K1-1', 'K1', '주문'])
    }
  }
})

test('accepts headers in any case', async () => {
  const titled = Object.entries(signHeaders([secret])).map(([name, value]) => [
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ])
  const headers = Object.fromEntries(titled) as Record<string, string>
  assert.ok('Webhook-Id' in headers)
  assert.equal((await verifyWebhook(body, headers, { secret })).id, 'K1-1')
})

test('accepts either secret while one is replaced, on either side', async () => {
  await verifyWebhook(body, signHeaders([secret, other]), { secret: other })
  await verifyWebhook(body, signHeaders([other]), { secret: [secret, other] })
})

test('tells a report, a reply and a notice apart, and acknowledges each as the gateway expects', async () => {
  const notice = { type: 'webhook.disabled', timestamp: '2026-11-15T09:00:00Z', data: {} }
  for (const [content, kind, answer] of [
    [{ msgKey: 'K1', reportCode: '10000' }, 'report', { msgKey: 'K1' }],
    [{ replyId: 'R1', text: 'STOP' }, 'reply', { replyId: 'R1' }],
    [notice, 'notice', {}],
  ] as const) {
    const text = JSON.stringify(content)
    const request = new Request('http://receiver.example/', {
      method: 'POST',
      headers: signHeaders([secret], 0, text),
      body: text,
    })
    let kinds: string[] = []
    const response = await receiveWebhook(request, { secret }, (event) => void (kinds = Object.keys(event)))
    assert.deepEqual(kinds, ['id', kind])
    assert.deepEqual(await response.json(), answer)
  }
})

test('refuses what is changed, unsigned, signed by another or too old', async () => {
  const good = signHeaders([secret])
  const cases: [string, string, Record<string, string>][] = [
    ['another body', body.replace('10000', '20000'), good],
    ['another id', body, { ...good, 'webhook-id': 'K2-1' }],
    ['another secret', body, signHeaders([other])],
    ['an old one', body, signHeaders([secret], -301)],
    ['one of the future', body, signHeaders([secret], 301)],
    [
      'another version',
      body,
      { ...good, 'webhook-signature': good['webhook-signature']!.replace('v1,', 'v1a,') },
    ],
    ['no signature', body, { ...good, 'webhook-signature': '' }],
    ['a time that is none', body, { ...good, 'webhook-timestamp': 'NaN' }],
  ]
  for (const [what, content, headers] of cases)
    await assert.rejects(verifyWebhook(content, headers, { secret }), WebhookVerificationError, what)
  await assert.rejects(verifyWebhook(body, {}, { secret }), /the header webhook-id is missing/)
})

test('a body is read up to the limit, and not at all without recent headers', async () => {
  let sent = 0
  const endless = (headers: Record<string, string>): Request =>
    new Request('http://receiver.example/', {
      ...{ method: 'POST', headers, duplex: 'half' },
      body: new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            // Ends after a hundred times the limit, so that a reader without a limit fails the test.
            if (sent >= 10_000_000) return controller.close()
            sent += 10_000
            controller.enqueue(new Uint8Array(10_000))
          },
        },
        { highWaterMark: 0 },
      ),
    })
  const receive = async (headers: Record<string, string>): Promise<[number, number]> => {
    sent = 0
    const { status } = await receiveWebhook(endless(headers), { secret, maxBytes: 100_000 }, () => undefined)
    return [status, sent]
  }
  assert.deepEqual(await receive(signHeaders([secret])), [413, 110_000])
  assert.deepEqual(await receive(signHeaders([secret], -301)), [401, 0])
  assert.deepEqual(await receive({}), [401, 0])
})
