/** The webhook endpoints: what they take, what they refuse, and that nobody sees another account's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { defaultSettings } from '../accounts/account.ts'
import { createErrorHandler } from '../api/server/errors.ts'
import { asAccount } from '../../test/support/as-account.ts'
import { atEnd } from '../../test/support/cleanup.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { quietLog } from '../../test/support/quiet.ts'
import { openReceiver } from '../../test/webhooks/receiver.ts'
import { formatTime, loopbackGuard } from '../../test/webhooks/reports.ts'
import { webhookRoutes } from './http.ts'
import { webhooksPerAccount } from './webhook.ts'

const { database } = await createTestDatabase()
const server = fastify()
server.setErrorHandler(createErrorHandler(quietLog))
server.register(
  asAccount(
    (request) => ({ ...defaultSettings, id: Number(request.headers.account) }) as Account,
    webhookRoutes({ database, guard: loopbackGuard, formatTime }),
  ),
)
atEnd(() => server.close())

interface Told {
  readonly status: number
  readonly code: string
  readonly result: string
  readonly data: Readonly<Record<string, unknown>>
}

async function ask(
  account: number,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<Told> {
  const response = await server.inject({
    method,
    url: `/v1/webhook${path}`,
    headers: { account: String(account) },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: response.statusCode, ...response.json<Omit<Told, 'status'>>() }
}

const url = 'https://hooks.example.com/reports'

test('a webhook has its defaults, shows its secret once and keeps what is not changed', async () => {
  const { data } = await ask(1, 'POST', '', { url })
  assert.match(String(data.secret), /^whsec_[A-Za-z0-9+/]{43}=$/)
  const shown = Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'secret'))
  assert.deepEqual(
    [shown.perSecond, shown.concurrency, shown.timeoutSeconds, shown.acknowledgement, shown.enabled],
    [100, 10, 5, 'msgKey', true],
  )
  const found = await ask(1, 'GET', `/${String(data.webhookId)}`)
  assert.deepEqual(found.data, shown)
  const changed = await ask(1, 'PUT', `/${String(data.webhookId)}`, { perSecond: 5 })
  assert.deepEqual(changed.data, { ...shown, perSecond: 5 })
  assert.deepEqual((await ask(1, 'GET', '')).data.webhook, [changed.data])
})

test('no account sees, changes, tries or removes the webhook of another', async () => {
  const { data } = await ask(2, 'POST', '', { url })
  const id = `/${String(data.webhookId)}`
  const requests = [
    ask(3, 'GET', id),
    ask(3, 'PUT', id, { enabled: false }),
    ask(3, 'DELETE', id),
    ask(3, 'POST', `${id}/test`),
    ask(3, 'POST', `${id}/rotate`),
    ask(3, 'POST', `${id}/replay`, { allSince: new Date().toISOString() }),
    ask(3, 'GET', `${id}/deliveries`),
    ask(3, 'GET', '/nonsense'),
  ]
  for (const { status, code } of await Promise.all(requests)) assert.deepEqual([status, code], [400, 'A850'])
  assert.deepEqual((await ask(3, 'GET', '')).data.webhook, [])
  assert.equal((await ask(2, 'GET', id)).data.enabled, true)
})

test('refuses what it does not know or cannot use, and names it', async () => {
  const wrong: [object, string, RegExp][] = [
    [{}, 'A851', /'url': it is missing/],
    [{ url: 'http://10.0.0.1' }, 'A851', /not a public one/],
    [{ url: 7 }, 'A851', /'url'/],
    [{ url, perSecond: 0 }, 'A853', /'perSecond'/],
    [{ url, concurrency: '5' }, 'A853', /'concurrency'/],
    [{ url, acknowledgement: 'yes' }, 'A853', /'acknowledgement'/],
    [{ url, secret: 'whsec_short' }, 'A853', /'secret'/],
    [{ url, colour: 'red' }, 'A300', /unknown field 'colour'/],
    [[], 'A011', /an object is wanted/],
  ]
  for (const [body, code, words] of wrong) {
    const told = await ask(4, 'POST', '', body)
    assert.deepEqual([told.status, told.code], [400, code], JSON.stringify(body))
    assert.match(told.result, words)
  }
  const { data } = await ask(4, 'POST', '', { url })
  const id = `/${String(data.webhookId)}`
  for (const body of [
    {},
    { msgKey: 'x' },
    { allSince: 'yesterday' },
    { failedSince: '2020-01-01T00:00:00Z' },
  ])
    assert.equal((await ask(4, 'POST', `${id}/replay`, body)).code, 'A854', JSON.stringify(body))
})

test('an account never has more than its number of webhooks, however many are made at once', async () => {
  const told = await Promise.all(
    Array.from({ length: webhooksPerAccount + 5 }, () => ask(5, 'POST', '', { url })),
  )
  assert.equal(told.filter(({ code }) => code === 'A000').length, webhooksPerAccount)
  assert.equal(told.filter(({ code }) => code === 'A852').length, 5)
})

test('a test tells what came of it, good or bad', async () => {
  const receiver = await openReceiver()
  atEnd(() => receiver.close())
  const { data } = await ask(6, 'POST', '', { url: receiver.url, enabled: false })
  const id = `/${String(data.webhookId)}`
  assert.equal((await ask(6, 'POST', `${id}/test`)).data.acknowledged, true)
  receiver.answer = () => ({ status: 302 })
  const bad = await ask(6, 'POST', `${id}/test`)
  assert.deepEqual([bad.data.acknowledged, bad.data.httpStatus], [false, 302])
  assert.match(String(bad.data.error), /redirects are not followed/)
})
