import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify } from 'fastify'
import type { Account } from '../../identity/accounts/account.ts'
import type { Credential } from '../../identity/accounts/credential.ts'
import { defaultSettings } from '../../identity/accounts/account.ts'
import { createErrorHandler } from '../api/server/errors.ts'
import { asAccount } from '../../../test/support/as-account.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { openReceiver } from '../../../test/load/webhooks/receiver.ts'
import { formatTime, loopbackGuard } from '../../../test/load/webhooks/reports.ts'
import { webhookRoutes } from './http.ts'
import { webhooksPerAccount } from './webhook.ts'

const { database } = await createTestDatabase()
const consumedLimits: string[] = []
/** Scopes of the key that requests are sent with. */
let scopes: Credential['scopes'] = null
const server = fastify()
server.setErrorHandler(createErrorHandler(silentLog))
server.register(
  asAccount(
    (request) => {
      request.credential = { keyId: 'K1', scopes } as Credential
      return { ...defaultSettings, id: Number(request.headers.account) } as Account
    },
    webhookRoutes({
      database,
      guard: loopbackGuard,
      formatTime,
      limitUse: (kind, id) => Promise.resolve(void consumedLimits.push(`${kind}:${id}`)),
    }),
  ),
)
addCleanup(() => server.close())

interface Reply {
  readonly status: number
  readonly code: string
  readonly result: string
  readonly data: Readonly<Record<string, unknown>>
}

async function send(
  account: number,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<Reply> {
  const response = await server.inject({
    method,
    url: `/v1/webhook${path}`,
    headers: { account: String(account) },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: response.statusCode, ...response.json<Omit<Reply, 'status'>>() }
}

const url = 'https://hooks.example.com/reports'

test('a webhook has defaults, shows its secret once and keeps settings that are not changed', async () => {
  const { data } = await send(1, 'POST', '', { url })
  assert.match(String(data.secret), /^whsec_[A-Za-z0-9+/]{43}=$/)
  const withoutSecret = Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'secret'))
  assert.deepEqual(
    [
      withoutSecret.perSecond,
      withoutSecret.concurrency,
      withoutSecret.timeoutSeconds,
      withoutSecret.acknowledgement,
      withoutSecret.enabled,
    ],
    [100, 10, 5, 'status', true],
  )
  const shownWebhook = await send(1, 'GET', `/${String(data.webhookId)}`)
  assert.deepEqual(shownWebhook.data, withoutSecret)
  const changed = await send(1, 'PUT', `/${String(data.webhookId)}`, { perSecond: 5 })
  assert.deepEqual(changed.data, { ...withoutSecret, perSecond: 5 })
  assert.deepEqual((await send(1, 'GET', '')).data.webhook, [changed.data])
})

test('an account cannot see, change, test or delete the webhook of another', async () => {
  const { data } = await send(2, 'POST', '', { url })
  const id = `/${String(data.webhookId)}`
  const requests = [
    send(3, 'GET', id),
    send(3, 'PUT', id, { enabled: false }),
    send(3, 'DELETE', id),
    send(3, 'POST', `${id}/test`),
    send(3, 'POST', `${id}/rotate`),
    send(3, 'POST', `${id}/replay`, { allSince: new Date().toISOString() }),
    send(3, 'GET', `${id}/deliveries`),
    send(3, 'GET', '/nonsense'),
  ]
  for (const { status, code } of await Promise.all(requests)) assert.deepEqual([status, code], [400, 'A850'])
  assert.deepEqual((await send(3, 'GET', '')).data.webhook, [])
  assert.equal((await send(2, 'GET', id)).data.enabled, true)
})

test('refuses unknown and invalid fields, and names them', async () => {
  const wrong: [object, string, RegExp][] = [
    [{}, 'A851', /'url': is required/],
    [{ url: 'http://10.0.0.1' }, 'A851', /not public/],
    [{ url: 7 }, 'A851', /'url'/],
    [{ url, perSecond: 0 }, 'A853', /'perSecond'/],
    [{ url, concurrency: '5' }, 'A853', /'concurrency'/],
    [{ url, acknowledgement: 'yes' }, 'A853', /'acknowledgement'/],
    [{ url, secret: 'whsec_short' }, 'A853', /'secret'/],
    [{ url, colour: 'red' }, 'A300', /unknown field 'colour'/],
    [[], 'A011', /must be an object/],
  ]
  for (const [body, code, text] of wrong) {
    const reply = await send(4, 'POST', '', body)
    assert.deepEqual([reply.status, reply.code], [400, code], JSON.stringify(body))
    assert.match(reply.result, text)
  }
  const { data } = await send(4, 'POST', '', { url })
  const id = `/${String(data.webhookId)}`
  for (const body of [
    {},
    { msgKey: 'x' },
    { allSince: 'yesterday' },
    { failedSince: '2020-01-01T00:00:00Z' },
  ])
    assert.equal((await send(4, 'POST', `${id}/replay`, body)).code, 'A854', JSON.stringify(body))
})

test('an account never exceeds its limit of webhooks, even with concurrent requests', async () => {
  const replies = await Promise.all(
    Array.from({ length: webhooksPerAccount + 5 }, () => send(5, 'POST', '', { url })),
  )
  assert.equal(replies.filter(({ code }) => code === 'A000').length, webhooksPerAccount)
  assert.equal(replies.filter(({ code }) => code === 'A852').length, 5)
})

test('a new URL must be https; one that was http before stays in use', async () => {
  const refused = await send(7, 'POST', '', { url: 'http://hooks.example.com/reports' })
  assert.deepEqual([refused.code, /https:\/\//.test(refused.result)], ['A851', true])
  const { data } = await send(7, 'POST', '', { url })
  const id = `/${String(data.webhookId)}`
  assert.equal((await send(7, 'PUT', id, { url: 'http://hooks.example.com/' })).code, 'A851')
  await database.query("update webhooks set url = 'http://hooks.example.com/' where id = $1", [
    data.webhookId,
  ])
  assert.equal((await send(7, 'PUT', id, { perSecond: 7 })).code, 'A000')
})

test('tests and full replays consume limits by account and by host', async () => {
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const { data } = await send(10, 'POST', '', { url: receiver.url })
  consumedLimits.length = 0
  await send(10, 'POST', `/${String(data.webhookId)}/test`)
  await send(10, 'POST', `/${String(data.webhookId)}/replay`, { allSince: new Date().toISOString() })
  assert.deepEqual(consumedLimits, ['account:10', 'host:127.0.0.1', 'replay:10'])
})

test('a test returns its result, whether it succeeds or fails', async () => {
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const { data } = await send(6, 'POST', '', { url: receiver.url, enabled: false })
  const id = `/${String(data.webhookId)}`
  assert.equal((await send(6, 'POST', `${id}/test`)).data.acknowledged, true)
  receiver.answer = () => ({ status: 302 })
  const bad = await send(6, 'POST', `${id}/test`)
  assert.deepEqual([bad.data.acknowledged, bad.data.httpStatus], [false, 302])
  assert.match(String(bad.data.error), /redirects are not followed/)
})

test('changes and tests of a webhook for replies need the scope of replies; reading it does not', async () => {
  scopes = ['webhooks']
  const refused = await send(7, 'POST', '', { url, events: 'replies' })
  assert.deepEqual([refused.status, refused.code], [403, 'A113'])
  assert.equal((await send(7, 'POST', '', { url })).code, 'A000')
  scopes = ['webhooks', 'replies']
  const { code, data } = await send(7, 'POST', '', { url, events: 'replies' })
  assert.equal(code, 'A000')
  const id = `/${String(data.webhookId)}`
  scopes = ['webhooks']
  const codes = [
    await send(7, 'PUT', id, { url: 'https://other.example.com/' }),
    await send(7, 'POST', `${id}/rotate`, {}),
    await send(7, 'POST', `${id}/replay`, { allSince: '2026-11-16T00:00:00Z' }),
    await send(7, 'POST', `${id}/test`),
    await send(7, 'DELETE', id),
    await send(7, 'GET', id),
  ].map((answer) => answer.code)
  assert.deepEqual(codes, ['A113', 'A113', 'A113', 'A113', 'A113', 'A000'])
  scopes = ['webhooks', 'replies']
  assert.equal((await send(7, 'DELETE', id)).code, 'A000')
  scopes = null
})
