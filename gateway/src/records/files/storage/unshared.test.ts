import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertBatch } from '../../../../test/support/batches.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { createAccount, recordOne, sender } from '../../../../test/support/fixtures.ts'
import type { Step } from '../../../channels/channel.ts'
import { createFileKey } from '../file.ts'
import { findUnsharedFiles } from './unshared.ts'

const { database } = await createTestDatabase()

const mms = (key: string): Step => ({
  channel: 'mms',
  content: { from: sender, text: 'Look', fileKey: [key] },
})

test('files of a message are unshared unless another message, a form or an unended batch has them', async () => {
  const accountId = await createAccount(database, 'shop')
  const names = ['own', 'other message', 'form', 'running batch', 'ended batch']
  const keys = names.map(() => createFileKey(new Date()))
  await database.query(
    `insert into files (key, account_id, service_type, kind, format, width, height, bytes, expires_at, remove_at, stored)
     select key, $2, 'MMS', '', 'jpg', 1, 1, 1, now() + interval '1 day', now() + interval '1 day', true from unnest($1::text[]) key`,
    [keys, accountId],
  )
  const [own, otherMessage, form, running, ended] = keys as [string, string, string, string, string]
  const { msgKey } = await recordOne(database, { accountId, steps: keys.map(mms) })
  await recordOne(database, { accountId, steps: [mms(otherMessage)] })
  await database.query(
    `insert into forms (id, account_id, flow, expires_at) values ('f', $1, $2, now() + interval '1 day')`,
    [accountId, JSON.stringify([{ mms: { fileKey: [form] } }])],
  )
  for (const [state, key] of [
    ['running', running],
    ['ended', ended],
  ] as const) {
    const { id } = await insertBatch(database, accountId, { state })
    await database.query(
      `update batches set content = $2, ended_at = case state when 'ended' then now() end where id = $1`,
      [id, JSON.stringify({ messageFlow: [{ mms: { fileKey: [key] } }] })],
    )
  }

  const unshared = await findUnsharedFiles(database, accountId, [msgKey])
  assert.deepEqual(
    unshared.map((key) => names[keys.indexOf(key)]),
    [own, ended].toSorted().map((key) => names[keys.indexOf(key)]),
  )
})
