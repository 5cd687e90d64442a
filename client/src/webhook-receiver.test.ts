import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { receiveWebhook, verifyWebhook, WebhookVerificationError } from './index.ts'

const secrets = ['a', 'b'].map((letter) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`)
const [secret, other] = secrets as [string, string]
const body = JSON.stringify({ msgKey: 'K1', reportCode: '10000', ref: '주문' })

function signHeaders(keys: readonly string[], seconds = 0, text = body): Record<string, string> {
  const at = new Date(Date.now() + seconds * 1000)
  return {
    'webhook-id': 'K1-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': keys.map((key) => new Webhook(key).sign('K1-1', at, text)).join(' '),
  }
}

test('a body is a string or bytes, and headers are Headers or a plain object', async () => {
  const headers = signHeaders([secret])
  for (const content of [body, new TextEncoder().encode(body)]) {
    for (const input of [headers, new Headers(headers)]) {
      const { id, report } = await verifyWebhook(content, input, { secret })
      assert.deepEqual([id, report?.msgKey, report?.ref], ['K1-1', 'K1', '주문'])
    }
  }
})

test('header names match in any case', async () => {
  const titled = Object.entries(signHeaders([secret])).map(([name, value]) => [
    name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ])
  const headers = Object.fromEntries(titled) as Record<string, string>
  assert.ok('Webhook-Id' in headers)
  assert.equal((await verifyWebhook(body, headers, { secret })).id, 'K1-1')
})

test('the old and the new secret verify a push during a rotation', async () => {
  await verifyWebhook(body, signHeaders([secret, other]), { secret: other })
  await verifyWebhook(body, signHeaders([other]), { secret: [secret, other] })
})

test('reports, replies and notices are distinguished and acknowledged', async () => {
  const notice = { type: 'webhook.disabled', timestamp: '2026-11-15T09:00:00Z', data: {} }
  for (const [content, kind, acknowledgement] of [
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
    assert.deepEqual(await response.json(), acknowledgement)
  }
})

test('changed, unsigned, wrongly signed and old requests are rejected', async () => {
  const good = signHeaders([secret])
  const cases: [string, string, Record<string, string>][] = [
    ['another body', body.replace('10000', '20000'), good],
    ['another id', body, { ...good, 'webhook-id': 'K2-1' }],
    ['another secret', body, signHeaders([other])],
    ['a time in the past', body, signHeaders([secret], -301)],
    ['a time in the future', body, signHeaders([secret], 301)],
    [
      'another version',
      body,
      { ...good, 'webhook-signature': good['webhook-signature']!.replace('v1,', 'v1a,') },
    ],
    ['no signature', body, { ...good, 'webhook-signature': '' }],
    ['an invalid time', body, { ...good, 'webhook-timestamp': 'NaN' }],
  ]
  for (const [change, content, headers] of cases)
    await assert.rejects(verifyWebhook(content, headers, { secret }), WebhookVerificationError, change)
  await assert.rejects(verifyWebhook(body, {}, { secret }), /webhook-id/)
})

test('the body is read up to `maxBytes`, and never without recent headers', async () => {
  let sent = 0
  const endless = (headers: Record<string, string>): Request =>
    new Request('http://receiver.example/', {
      method: 'POST',
      headers,
      duplex: 'half',
      body: new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            // Ends far above the limit, so that reading without a limit fails the test instead of hanging.
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
