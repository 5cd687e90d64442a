/**
 * `postern account erase-recipient` also reaches images and parked jobs, encrypted or not, and prints the
 * remaining ones.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, createAccount, inAnHour, receipt } from '../../../test/support/fixtures.ts'
import { createFileKey } from '../../records/files/file.ts'
import { insertPendingFile, markStored } from '../../records/files/queries.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { ensureSealed, toWire } from '../../jobs/sealed.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { recordMessages } from '../../records/messages/record.ts'
import { saveParked } from '../../records/parked/queries.ts'

const { database, url } = await createTestDatabase()
process.env['ERASE_MASTER_KEY'] = randomBytes(32).toString('hex')
const masterKey = 'env:ERASE_MASTER_KEY'
const environment = { POSTERN_DATABASE_URL: url, POSTERN_MASTER_KEY: masterKey }
const encryption = openEncryption({ masterKey })
await encryption.prepare(database)
addCleanup(() => Promise.resolve(messageCipher.close()))

async function erase(clientId: string, number: string): Promise<Record<string, unknown>> {
  const args = ['account', 'erase-recipient', clientId, number, '--reason', 'a test', '--json']
  const { stdout, stderr, exitCode } = await runCommand(environment, ...args)
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}

async function upload(accountId: number): Promise<string> {
  const key = createFileKey(new Date())
  const expiresAt = inAnHour()
  const image = { serviceType: 'MMS', kind: '', format: 'jpg', width: 1, height: 1, bytes: 1 } as const
  await insertPendingFile(database, { ...image, key, accountId, expiresAt }, expiresAt)
  await markStored(database, key, expiresAt)
  return key
}

const mms = (fileKey: string): AcceptedJob['steps'] => [
  { channel: 'mms', content: { text: 'x', fileKey: [fileKey] } },
]

async function send(overrides: Partial<AcceptedJob>, isClosed = true): Promise<AcceptedJob> {
  const job = await ensureSealed(acceptedJob(overrides))
  await recordMessages(database, [job], inAnHour)
  if (isClosed) await database.query('delete from in_flight where msg_key = $1', [job.msgKey])
  return job
}

for (const sealing of [false, true])
  test(`erases images that only the erased messages use, ${sealing ? 'encrypted' : 'in plaintext'}`, async () => {
    await messageCipher.open(database, encryption, { sealing })
    const clientId = `files-${sealing}`
    const accountId = await createAccount(database, clientId)
    const [unshared, shared, inForm, ofOther] = [
      await upload(accountId),
      await upload(accountId),
      await upload(accountId),
      await upload(await createAccount(database, `${clientId}-other`)),
    ]
    const to = '01011112222'
    for (const key of [unshared, unshared, shared, inForm, ofOther])
      await send({ accountId, to, steps: mms(key) })
    await send({ accountId, to: '01033334444', steps: mms(shared) }, false)
    await database.query(
      `insert into forms (id, account_id, flow, expires_at) values ($1, $2, $3, now() + '1 h')`,
      [`form-${sealing}`, accountId, JSON.stringify([{ mms: { fileKey: [inForm] } }])],
    )
    assert.deepEqual(await erase(clientId, to), { erased: 5, open: 0, files: 1, replies: 0, parked: [] })
    const left = await database.query<{ key: string }>('select key from files where stored order by key')
    const keys = left.rows.map(({ key }) => key)
    assert.deepEqual(
      [unshared, shared, inForm, ofOther].map((key) => keys.includes(key)),
      [false, true, true, true],
    )
  })

for (const sealing of [false, true])
  test(`prints parked jobs that contain the number, ${sealing ? 'encrypted' : 'in plaintext'}`, async () => {
    await messageCipher.open(database, encryption, { sealing })
    const clientId = `parked-${sealing}`
    const accountId = await createAccount(database, clientId)
    const to = sealing ? '01055556666' : '01077778888'
    const jobs: [unknown, 'intake' | 'settle'][] = [
      [toWire(await ensureSealed(acceptedJob({ accountId, to }))), 'intake'],
      [toWire(await ensureSealed(acceptedJob({ accountId, to: '01099990000' }))), 'intake'],
      [toWire(await ensureSealed(acceptedJob({ accountId: accountId + 1, to }))), 'intake'],
      [receipt({ recipient: `+82${to.slice(1)}` }), 'settle'],
      [receipt({ recipient: '01099990000' }), 'settle'],
      [{ nonsense: `for ${to}` }, 'settle'],
    ]
    await saveParked(
      database,
      jobs.map(([job, stage]) => ({
        stage,
        msgKey: null,
        reason: clientId,
        payload: Buffer.from(JSON.stringify(job)),
      })),
    )
    const { rows } = await database.query<{ id: number }>(
      'select id from parked where reason = $1 order by id',
      [clientId],
    )
    const { parked } = await erase(clientId, to)
    // The message of this account, the receipt, and the job whose payload only contains the number.
    assert.deepEqual(
      parked,
      [0, 3, 5].map((n) => rows[n]!.id),
    )
  })
