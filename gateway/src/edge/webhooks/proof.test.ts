import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fastify } from 'fastify'
import { defaultSettings, type Account } from '../../identity/accounts/account.ts'
import { createErrorHandler } from '../api/server/errors.ts'
import { asAccount } from '../../../test/support/as-account.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { isSigned, openReceiver, type Receiver } from '../../../test/load/webhooks/receiver.ts'
import { formatTime, loopbackGuard } from '../../../test/load/webhooks/reports.ts'
import { webhookRoutes } from './http.ts'
import { acknowledgements, createSecret } from './webhook.ts'
import { writeAttemptLogs } from './push/attempt-log.ts'

const { database } = await createTestDatabase()
const consumedLimits: string[] = []
/** The account that waits for its limiter. */
const slowToLimit = 9
const server = fastify()
server.setErrorHandler(createErrorHandler(silentLog))
server.register(
  asAccount(
    (request) => ({ ...defaultSettings, id: Number(request.headers.account) }) as Account,
    webhookRoutes({
      database,
      guard: loopbackGuard,
      formatTime,
      requiresProof: true,
      limitUse: async (kind, id) => {
        consumedLimits.push(`${kind}:${id}`)
        if (kind === 'account' && id === slowToLimit) await pause(600)
      },
    }),
  ),
)
addCleanup(() => server.close())

interface Reply {
  readonly code: string
  readonly result: string
  readonly data: Readonly<Record<string, unknown>>
}

async function send(
  account: number,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<Reply> {
  const response = await server.inject({
    method,
    url: `/v1/webhook${path}`,
    headers: { account: String(account) },
    ...(body === undefined ? {} : { payload: body }),
  })
  return response.json<Reply>()
}

async function open(answer?: Receiver['answer']): Promise<Receiver> {
  const receiver = await openReceiver(answer)
  addCleanup(() => receiver.close())
  return receiver
}

interface Created {
  readonly path: string
  readonly secret: string
}

async function create(account: number, url: string, more: object = {}): Promise<Created> {
  const { data } = await send(account, 'POST', '', { url, ...more })
  return { path: `/${String(data.webhookId)}`, secret: String(data.secret) }
}

/** Behaves like the receivers of the documentation. */
const verifying =
  (secret: string, status = 200): Receiver['answer'] =>
  (arrival) => ({ status: isSigned(arrival, secret) ? status : 401 })

test('a webhook is created disabled, and enabled when its receiver proves that it has the secret', async () => {
  const receiver = await open()
  for (const [acknowledgement, status] of [
    ['msgKey', 200],
    ['status', 204],
  ] as const) {
    receiver.arrivals.length = 0
    const { path, secret } = await create(1, receiver.url, { acknowledgement })
    const { data: created } = await send(1, 'GET', path)
    assert.deepEqual([created.enabled, created.disabledReason], [false, 'unproved'])
    assert.equal(receiver.arrivals.length, 0)
    receiver.answer = verifying(secret, status)
    const { data: enabled } = await send(1, 'PUT', path, { enabled: true })
    assert.deepEqual([enabled.enabled, enabled.disabledReason], [true, ''])
    assert.equal(receiver.arrivals.length, 3)
    assert.equal((await send(1, 'PUT', path, { name: 'no new URL' })).code, 'A000')
    assert.equal(receiver.arrivals.length, 3)
  }
})

test('a webhook whose receiver does not hold the secret is not enabled, whatever it responds', async () => {
  const receiver = await open()
  let nth = 0
  const answers: Record<string, Receiver['answer']> = {
    'acknowledges everything': () => undefined,
    'verifies with another secret': verifying(createSecret()),
    'refuses everything': () => ({ status: 401 }),
    'is overloaded after the first': () => (nth++ === 0 ? undefined : { status: 429 }),
    'is not ready for the second': () => (nth++ === 1 ? { status: 503 } : undefined),
  }
  for (const acknowledgement of acknowledgements) {
    const { path } = await create(2, receiver.url, { acknowledgement })
    for (const [description, answer] of Object.entries(answers)) {
      nth = 0
      receiver.answer = answer
      const { code, result } = await send(2, 'PUT', path, { enabled: true })
      assert.deepEqual([code, /sample report/.test(result)], ['A851', true], description)
      assert.equal((await send(2, 'GET', path)).data.enabled, false, description)
    }
  }
})

test('a receiver that verifies signatures need not return the msgKey, unless the webhook requires it', async () => {
  const receiver = await open()
  for (const [acknowledgement, code] of [
    ['status', 'A000'],
    ['msgKey', 'A851'],
  ] as const) {
    const { path, secret } = await create(10, receiver.url, { acknowledgement })
    receiver.answer = (arrival) => ({ ...verifying(secret)(arrival)!, body: '' })
    assert.equal((await send(10, 'PUT', path, { enabled: true })).code, code, acknowledgement)
  }
})

test('the URL of an enabled webhook changes only to a receiver that has its secret', async () => {
  const receiver = await open()
  const { path, secret } = await create(3, receiver.url)
  receiver.answer = verifying(secret)
  await send(3, 'PUT', path, { enabled: true })
  receiver.answer = (arrival) => (arrival.path === '/theirs' ? undefined : verifying(secret)(arrival))
  assert.equal((await send(3, 'PUT', path, { url: `${receiver.url}/theirs` })).code, 'A851')
  const { data: kept } = await send(3, 'GET', path)
  assert.deepEqual([kept.url, kept.enabled], [receiver.url, true])
  assert.equal((await send(3, 'PUT', path, { url: `${receiver.url}/ours` })).data.url, `${receiver.url}/ours`)
  // A webhook that was disabled in the meantime needs the proof when it is enabled.
  await send(3, 'PUT', path, { url: `${receiver.url}/theirs`, enabled: false })
  assert.equal((await send(3, 'PUT', path, { enabled: true })).code, 'A851')
})

test('a proof consumes the limit of its account first, then that of the host', async () => {
  const receiver = await open()
  const { path } = await create(4, receiver.url)
  consumedLimits.length = 0
  await send(5, 'PUT', path, { enabled: true })
  await send(4, 'PUT', path, { enabled: true, url: 'ftp://hooks.example.com' })
  assert.deepEqual(consumedLimits, [])
  await send(4, 'PUT', path, { enabled: true })
  assert.deepEqual(consumedLimits, ['account:4', 'host:127.0.0.1'])
})

/** A port that accepts connections and is silent, and one that is closed. */
async function openPorts(): Promise<readonly [number, number]> {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  addCleanup(() => silent.close())
  return [(silent.address() as AddressInfo).port, 1]
}

test('proofs and tests do not distinguish closed ports from silent hosts', async () => {
  const ports = await openPorts()
  const requests = [
    { method: 'POST', action: '/test', body: undefined },
    { method: 'PUT', action: '', body: { enabled: true } },
  ] as const
  const attempts = ports.flatMap((port) =>
    requests.map(async ({ method, action, body }) => {
      const { path } = await create(6, `http://127.0.0.1:${port}`, { timeoutSeconds: 1 })
      const started = performance.now()
      const reply = await send(6, method, `${path}${action}`, body)
      const normalized = { ...reply, data: { ...reply.data, eventId: '', time: '' } }
      return { shown: normalized, tookMs: performance.now() - started }
    }),
  )
  const [silentTest, silentProof, closedTest, closedProof] = await Promise.all(attempts)
  assert.deepEqual(closedTest!.shown, silentTest!.shown)
  assert.deepEqual(closedProof!.shown, silentProof!.shown)
  for (const { tookMs } of [closedTest!, closedProof!]) assert.ok(tookMs >= 990, String(tookMs))
})

test('a slow limiter does not count as time of the push', async () => {
  const { path } = await create(slowToLimit, 'http://127.0.0.1:1', { timeoutSeconds: 1 })
  const started = performance.now()
  await send(slowToLimit, 'POST', `${path}/test`)
  const tookMs = performance.now() - started
  assert.ok(tookMs >= 1_590, String(tookMs))
})

test('deliveries do not reveal why there was no response', async () => {
  const deliveries = []
  for (const [ms, error] of [
    [3, 'connection failed: ECONNREFUSED'],
    [5_000, 'no response within 5 s'],
    [8, 'connection failed: ERR_TLS_CERT_ALTNAME_INVALID'],
    [2, 'connection failed: the host name resolves to an address that is not public'],
  ] as const) {
    const { path } = await create(7, 'https://hooks.example.com/')
    const webhookId = path.slice(1)
    const entry = {
      at: `2026-11-15T09:00:0${ms % 10}.${ms % 10}00Z`,
      eventId: 'E',
      httpStatus: null,
      ms,
      error,
    }
    await writeAttemptLogs(database, [{ webhookId, tries: [entry] }])
    await database.query(
      `insert into webhook_deliveries (webhook_id, event_id, created_at, tries, retry_at, failed_at, error)
       values ($1, 'E', now(), 1, $2, $2, $3)`,
      [webhookId, entry.at, error],
    )
    deliveries.push((await send(7, 'GET', `${path}/deliveries`)).data)
  }
  for (const delivery of deliveries) assert.deepEqual(delivery, deliveries[0])
  assert.match(JSON.stringify(deliveries[0]), /no HTTP response.*no HTTP response/)
})

for (const [description, change] of [
  ['a new secret', (path: string) => send(8, 'POST', `${path}/rotate`, {})],
  ['another URL', (path: string) => send(8, 'PUT', path, { url: 'http://127.0.0.1:1/', enabled: false })],
] as const)
  test(`a proof is invalid after a concurrent change to ${description}`, async () => {
    const receiver = await open()
    const { path, secret } = await create(8, receiver.url)
    let changed: Promise<Reply> | undefined
    receiver.answer = (arrival) => {
      changed ??= change(path)
      return { ...verifying(secret)(arrival)!, afterMs: 200 }
    }
    const { code, result } = await send(8, 'PUT', path, { enabled: true })
    assert.equal((await changed!).code, 'A000')
    assert.deepEqual([code, /another request changed the webhook/.test(result)], ['A851', true], result)
    const { data } = await send(8, 'GET', path)
    assert.equal(data.enabled, false)
  })
