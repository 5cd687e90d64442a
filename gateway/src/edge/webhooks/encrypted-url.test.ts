import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { temporaryFolder } from '../../../test/support/files/test-bed.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { openReceiver } from '../../../test/load/webhooks/receiver.ts'
import { loopbackGuard, startTestPusher, writeReports } from '../../../test/load/webhooks/reports.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { encryptPlaintext, rekey } from '../../operations/secrets/reencrypt.ts'
import { addWebhook, requireWebhook, requireWebhookWithUrl } from './actions.ts'
import { changeWebhook } from './change.ts'
import { listWebhooksSetBy } from './queries.ts'

const { database } = await createTestDatabase()
const folder = await temporaryFolder()
const keyFile = (name: string): string => {
  writeFileSync(join(folder, name), randomBytes(32).toString('hex'))
  return `file:${join(folder, name)}`
}
const [first, second] = [keyFile('first'), keyFile('second')]
const encryption = openEncryption({ masterKey: first })
await encryption.prepare(database)
const receiver = await openReceiver()
addCleanup(() => receiver.close())
const context = { database, guard: loopbackGuard, cipher: encryption }
const path = '/CANARYPATH?token=CANARYQUERY'
const url = `${receiver.url}${path}`
const masked = `${receiver.url}/…`

async function readRow(id: string): Promise<string> {
  const result = await database.query<{ row: string }>(
    `select w::text || coalesce((select string_agg(d::text, '') from webhook_deliveries d), '') as row
       from webhooks w where id = $1`,
    [id],
  )
  return result.rows[0]!.row
}

test('a new URL and a changed one are encrypted; its account sees the whole one', async () => {
  const accountId = await createAccount(database, 'added')
  const { id, url: returnedUrl } = await addWebhook(context, accountId, { url }, { urlSetBy: 'KEY1' })
  assert.equal(returnedUrl, url)
  assert.doesNotMatch(await readRow(id), /CANARY/)
  assert.equal((await requireWebhookWithUrl(context, accountId, id)).url, url)
  assert.equal((await requireWebhook(database, accountId, id)).url, masked, 'without the key')
  await assert.rejects(requireWebhookWithUrl({ database }, accountId, id), /POSTERN_MASTER_KEY is required/)

  await changeWebhook(context, accountId, id, { url, name: 'same' }, { urlSetBy: 'KEY2' })
  assert.equal(
    (await listWebhooksSetBy(database, accountId, 'KEY1')).length,
    1,
    'the same URL was set before',
  )
  const changed = await changeWebhook(context, accountId, id, { url: `${url}2` }, { urlSetBy: 'KEY2' })
  assert.deepEqual([changed.url, changed.name], [`${url}2`, 'same'])
  assert.deepEqual(await listWebhooksSetBy(database, accountId, 'KEY2'), [{ id, url: masked, enabled: true }])
  assert.doesNotMatch(await readRow(id), /CANARY/)
})

test('encrypting and re-encrypting stored URLs interrupts no push', async () => {
  const accountId = await createAccount(database, 'pushed')
  const { id } = await addWebhook({ database, guard: loopbackGuard }, accountId, { url })
  assert.match(await readRow(id), /CANARYPATH/)
  const bothKeys = openEncryption({ masterKey: second, previousMasterKey: first })
  const pusher = startTestPusher(database, { cipher: bothKeys })
  addCleanup(() => pusher.stop())
  const pushed = async (step: string): Promise<void> => {
    const [msgKey] = await writeReports(database, accountId, 1)
    await waitFor(step, () => receiver.arrivals.some(({ body }) => body.msgKey === msgKey))
    assert.equal(receiver.arrivals.at(-1)!.path, path)
  }
  await pushed('a push to the URL in plaintext')
  await encryptPlaintext(database, encryption)
  assert.doesNotMatch(await readRow(id), /CANARY/)
  await pushed('a push to the encrypted URL')
  await rekey(database, bothKeys, () => undefined)
  await pushed('a push after the change of the master key')
  const after = openEncryption({ masterKey: second })
  assert.equal((await requireWebhookWithUrl({ database, cipher: after }, accountId, id)).url, url)
  await pusher.stop()
})

test('the notice of a disabled webhook is stored and pushed without path and query', async () => {
  const cipher = openEncryption({ masterKey: second })
  const accountId = await createAccount(database, 'noticed')
  const goneReceiver = await openReceiver(() => ({ status: 410 }))
  addCleanup(() => goneReceiver.close())
  const { id } = await addWebhook({ ...context, cipher }, accountId, { url: `${goneReceiver.url}${path}` })
  const other = await addWebhook({ ...context, cipher }, accountId, { url: receiver.url })
  const pusher = startTestPusher(database, { cipher })
  await writeReports(database, accountId, 1)
  const isNotice = ({ body }: { readonly body: object }): boolean => 'type' in body
  await waitFor('the notice', () => receiver.arrivals.some(isNotice))
  await pusher.stop()
  assert.deepEqual(receiver.arrivals.find(isNotice)!.body.data, {
    webhookId: id,
    url: `${goneReceiver.url}/…`,
    reason: 'gone',
  })
  assert.doesNotMatch((await readRow(id)) + (await readRow(other.id)), /CANARY/)
})

test('a URL that cannot be decrypted is replaced by a new one', async () => {
  const cipher = openEncryption({ masterKey: second })
  const accountId = await createAccount(database, 'damaged')
  const { id } = await addWebhook({ ...context, cipher }, accountId, { url })
  await database.query(
    `update webhooks set encrypted_url = (select encrypted_url from webhooks where id <> $1 limit 1) where id = $1`,
    [id],
  )
  await assert.rejects(requireWebhookWithUrl({ database, cipher }, accountId, id), {
    name: 'DamagedCiphertext',
  })
  const changed = await changeWebhook({ ...context, cipher }, accountId, id, { url: `${url}3` })
  assert.equal(changed.url, `${url}3`)
})
