import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { HttpServer } from './http-server.ts'
import type { HttpOutcome } from './http-server.ts'
import { WebhookSender } from './webhook-sender.ts'
import type { WebhookOptions } from './webhook-sender.ts'
import { until } from '../testing/peer.ts'

interface Setting {
  readonly sender: WebhookSender
  readonly bodies: string[]
  readonly send: (body: string, delayMs?: number, withdrawn?: () => boolean) => Promise<boolean>
  /** Maximum number of concurrent requests. */
  readonly peak: () => number
}

/** Starts a sender and a client that answers each receipt as `answer` returns. */
async function setting(
  t: TestContext,
  answer: (body: string, seen: number) => HttpOutcome | Promise<HttpOutcome>,
  options: Partial<WebhookOptions> = {},
): Promise<Setting> {
  const bodies: string[] = []
  let open = 0
  let peak = 0
  const client = new HttpServer({
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 1000,
    handler: async ({ body }) => {
      peak = Math.max(peak, ++open)
      bodies.push(body.toString())
      const reply = await answer(body.toString(), bodies.length)
      open--
      return reply
    },
  })
  await client.listen()
  const sender = new WebhookSender({
    window: 2,
    // Long enough that no receipt is abandoned on a busy machine.
    timeoutMs: 5_000,
    retryMs: 5,
    maxTries: 0,
    acknowledges: ({ status }) => status === 200,
    ...options,
  })
  t.after(async () => {
    sender.close()
    await client.close()
  })
  const url = `http://127.0.0.1:${client.port}/`
  return {
    sender,
    bodies,
    send: (body, delayMs, withdrawn = () => false) =>
      sender.send({ url, headers: {}, body, withdrawn }, delayMs),
    peak: () => peak,
  }
}

const ok: HttpOutcome = { status: 200, body: '' }

test('sends a receipt until it is acknowledged and counts every attempt', async (t) => {
  const answers: HttpOutcome[] = [{ status: 503, body: '' }, 'disconnect', 'hang', ok]
  // Long enough that only the unanswered receipt times out, even on a busy machine.
  const { sender, bodies, send } = await setting(t, (_body, seen) => answers[seen - 1]!, { timeoutMs: 1_000 })
  assert.equal(await send('a'), true)
  assert.deepEqual(bodies, ['a', 'a', 'a', 'a'])
  assert.deepEqual(sender.counters, {
    receiptsSent: 4,
    receiptsRepeated: 3,
    receiptsAnswered: 1,
    receiptsGivenUp: 0,
    receiptsPending: 0,
  })
})

test('abandons a receipt after the maximum number of attempts', async (t) => {
  const { sender, send } = await setting(t, () => ({ status: 500, body: '' }), { maxTries: 3 })
  assert.equal(await send('a'), false)
  assert.deepEqual([sender.counters.receiptsSent, sender.counters.receiptsGivenUp], [3, 1])
})

test('a permanently refused receipt does not delay the others', async (t) => {
  const { sender, send } = await setting(t, (body) => (body === 'bad' ? { status: 500, body: '' } : ok))
  void send('bad')
  const others = await Promise.all(Array.from({ length: 20 }, (_, index) => send(`good ${index}`)))
  assert.ok(others.every(Boolean))
  assert.equal(sender.counters.receiptsPending, 1)
})

test('never exceeds its window', async (t) => {
  const { send, peak } = await setting(t, async () => {
    await new Promise((resolve) => setTimeout(resolve, 2))
    return ok
  })
  await Promise.all(Array.from({ length: 12 }, () => send('a')))
  assert.equal(peak(), 2)
})

test('sends nothing while paused, and never a cleared receipt', async (t) => {
  const { sender, bodies, send } = await setting(t, () => ok)
  sender.pause()
  const cleared = send('cleared')
  const late = send('late', 50)
  sender.clear()
  assert.deepEqual([await cleared, await late], [false, false])
  const sent = send('sent')
  sender.resume()
  await sent
  await until(() => sender.counters.receiptsAnswered === 1, 'the receipt')
  assert.deepEqual(bodies, ['sent'])
})

test('doubles the delay up to its maximum', async (t) => {
  const times: number[] = []
  const answer = (_: string, seen: number): HttpOutcome => {
    times.push(performance.now())
    return { status: seen < 5 ? 500 : 200, body: '' }
  }
  const { send } = await setting(t, answer, { retryMs: 10, maxRetryMs: 30 })
  assert.equal(await send('a'), true)
  const delays = times.slice(1).map((time, index) => time - times[index]!)
  // A timer can be a millisecond early; its lateness depends on the machine.
  for (const [index, least] of [10, 20, 30, 30].entries())
    assert.ok(delays[index]! >= least - 2, delays.join())
})

test('abandons a withdrawn receipt, even between two attempts', async (t) => {
  const { sender, bodies, send } = await setting(t, () => ({ status: 500, body: '' }))
  assert.equal(await send('a', 0, () => true), false)
  assert.equal(await send('b', 0, () => bodies.length >= 2), false)
  assert.deepEqual(bodies, ['b', 'b'])
  const { receiptsGivenUp, receiptsPending } = sender.counters
  assert.deepEqual([receiptsGivenUp, receiptsPending], [2, 0])
})
