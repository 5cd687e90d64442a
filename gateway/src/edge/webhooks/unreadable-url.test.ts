import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fastify, type FastifyInstance } from 'fastify'
import { defaultSettings, type Account } from '../../identity/accounts/account.ts'
import type { Credential } from '../../identity/accounts/credential.ts'
import { createErrorHandler } from '../api/server/errors.ts'
import { asAccount } from '../../../test/support/as-account.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { temporaryFolder } from '../../../test/support/files/test-bed.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { formatTime, loopbackGuard } from '../../../test/load/webhooks/reports.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { addWebhook, requireWebhook, requireWebhookWithUrl } from './actions.ts'
import { changeWebhook } from './change.ts'
import { webhookRoutes } from './http.ts'

const { database } = await createTestDatabase()
const keyFile = join(await temporaryFolder(), 'key')
writeFileSync(keyFile, randomBytes(32).toString('hex'))
const cipher = openEncryption({ masterKey: `file:${keyFile}` })
await cipher.prepare(database)
const context = { database, guard: loopbackGuard, cipher }
const url = 'https://shop.example/hook?token=1'
const masked = 'https://shop.example/…'

function openServer(given: FieldCipher, requiresProof = false): FastifyInstance {
  const server = fastify()
  server.setErrorHandler(createErrorHandler(silentLog))
  const routes = webhookRoutes({ database, guard: loopbackGuard, formatTime, cipher: given, requiresProof })
  server.register(
    asAccount((request) => {
      request.credential = { keyId: 'K1', scopes: null } as Credential
      return { ...defaultSettings, id: Number(request.headers.account) } as Account
    }, routes),
  )
  addCleanup(() => server.close())
  return server
}

/** Returns the code of a failure, the URL of the webhook, or the URLs of all. */
async function send(
  server: FastifyInstance,
  accountId: number,
  method: 'GET' | 'PUT',
  path = '',
  payload?: object,
): Promise<unknown> {
  const answer = await server.inject({
    method,
    url: `/v1/webhook${path}`,
    headers: { account: String(accountId) },
    ...(payload === undefined ? {} : { payload }),
  })
  const { code, data } = answer.json<{ code: string; data?: { webhook?: { url: string }[]; url?: string } }>()
  return data === undefined ? code : (data.webhook?.map((webhook) => webhook.url) ?? data.url)
}

/** Replaces the ciphertext of the URL by that of another field, which cannot be decrypted as a URL. */
async function damage(id: string): Promise<void> {
  await database.query('update webhooks set encrypted_url = secret where id = $1', [id])
}

test('a damaged URL is shown masked, and its webhook can be changed and repaired', async () => {
  const accountId = await createAccount(database, 'damaged')
  const { id } = await addWebhook(context, accountId, { url })
  await addWebhook(context, accountId, { url: `${url}2` })
  await damage(id)
  const server = openServer(cipher)
  assert.deepEqual(await send(server, accountId, 'GET'), [masked, `${url}2`])
  assert.equal(await send(server, accountId, 'GET', `/${id}`), masked)
  assert.equal(await send(server, accountId, 'PUT', `/${id}`, { enabled: false }), masked)
  assert.equal((await requireWebhook(database, accountId, id)).enabled, false)
  await assert.rejects(
    requireWebhookWithUrl(context, accountId, id),
    { name: 'DamagedCiphertext' },
    'the damaged ciphertext is kept',
  )
  assert.equal(
    await send(server, accountId, 'PUT', `/${id}`, { url: masked }),
    'A851',
    'the masked text is not a valid URL',
  )
  assert.equal(
    await send(openServer(cipher, true), accountId, 'PUT', `/${id}`, { enabled: true }),
    'A851',
    'what cannot be read cannot be proved',
  )

  assert.equal(await send(server, accountId, 'PUT', `/${id}`, { url }), url)
})

test('a process without the master key shows and changes webhooks', async () => {
  const accountId = await createAccount(database, 'without key')
  const { id } = await addWebhook(context, accountId, { url })
  const server = openServer(openEncryption({}))
  assert.deepEqual(await send(server, accountId, 'GET'), [masked])
  assert.equal(await send(server, accountId, 'PUT', `/${id}`, { name: 'changed' }), masked)
  assert.equal((await requireWebhookWithUrl(context, accountId, id)).url, url)
  assert.equal(await send(server, accountId, 'PUT', `/${id}`, { url: `${url}2` }), `${url}2`)
})

// Without a path the masked text is the URL itself.
test('a damaged URL without a path is repaired by the same URL', async () => {
  const accountId = await createAccount(database, 'without path')
  const { id } = await addWebhook(context, accountId, { url: 'https://shop.example' })
  await damage(id)
  await changeWebhook(context, accountId, id, { url: 'https://shop.example' })
  assert.equal((await requireWebhookWithUrl(context, accountId, id)).url, 'https://shop.example')
})
