import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { EncryptedColumn } from '../../platform/encryption/field-cipher.ts'
import { Encryption } from '../../platform/encryption/encryption.ts'
import { localMasterKey } from '../../platform/encryption/master-key.ts'
import { changeSender } from './changes.ts'
import { registerSenders, type SenderRegistration } from './register.ts'
import { decryptChanges, decryptProof, proofHistory, senderProofs } from './proofs.ts'
import { findSender, readSenderChanges } from './queries.ts'
import type { SenderProof } from './sender.ts'

const { database } = await createTestDatabase()
const key = localMasterKey(randomBytes(32))
const cipher = new Encryption({ current: key, readable: [key] })
await cipher.prepare(database)
const accountId = await createAccount(database, 'shop-1', {})
const act = createTestAuditContext('kim', 'asked for')
const proof: SenderProof = { kind: 'certificate', reference: 'CANARY-118', issued: '2026-10-01' }
const sender: SenderRegistration = {
  accountId,
  kind: 'number',
  value: '0234567890',
  state: 'active',
  proof,
  validUntil: null,
}

const readStoredRows = async (): Promise<string> =>
  JSON.stringify(
    (
      await database.query(
        'select s::text, c::text as changes from senders s join sender_changes c on c.sender_id = s.id order by c.id',
      )
    ).rows,
  )
const readReference = async (of: SenderRegistration = sender): Promise<string | undefined> =>
  (await decryptProof(database, cipher, of, (await findSender(database, of))!.proof))?.reference

const history = async (of: SenderRegistration = sender): Promise<(string | undefined)[]> => {
  const changes = await readSenderChanges(database, (await findSender(database, of))!.id)
  return (await decryptChanges(database, cipher, of, changes)).map(({ proof: stored }) => stored?.reference)
}

test('no row holds a plaintext reference, and a repeated import changes nothing', async () => {
  assert.equal((await registerSenders(database, [sender], act, cipher)).length, 1)
  assert.doesNotMatch(await readStoredRows(), /CANARY/)
  assert.equal(await readReference(), 'CANARY-118')
  const before = await readStoredRows()
  assert.equal((await registerSenders(database, [sender], act, cipher)).length, 0)
  assert.equal(await readStoredRows(), before)
  const renewed = { ...sender, proof: { ...proof, reference: 'CANARY-119' } }
  assert.equal((await registerSenders(database, [renewed], act, cipher)).length, 1)
  assert.equal(await readReference(), 'CANARY-119')
})

test('a change of state keeps the reference, and one with a proof encrypts it', async () => {
  const change = { act, today: '2026-11-16' }
  await changeSender(database, sender, { ...change, to: 'blocked' }, cipher)
  assert.equal(await readReference(), 'CANARY-119')
  await changeSender(
    database,
    sender,
    { ...change, to: 'active', proof: { ...proof, reference: 'CANARY-120' } },
    cipher,
  )
  assert.equal(await readReference(), 'CANARY-120')
  assert.deepEqual(await history(), ['CANARY-118', 'CANARY-119', undefined, 'CANARY-120'])
  assert.doesNotMatch(await readStoredRows(), /CANARY/)
})

test('a re-encryption finds references in plaintext and replaces them, page by page', async () => {
  const values = ['0311111111', '0322222222', '0333333333']
  const unencrypted = values.map((value) => ({ ...sender, value }))
  await registerSenders(database, unencrypted, act)
  assert.match(await readStoredRows(), /CANARY/)
  assert.equal(await encryptAll(senderProofs), 3)
  assert.match(await readStoredRows(), /CANARY/)
  assert.equal(await encryptAll(proofHistory), 3)
  assert.doesNotMatch(await readStoredRows(), /CANARY/)
  for (const registration of unencrypted) {
    assert.equal(await readReference(registration), 'CANARY-118')
    assert.deepEqual(await history(registration), ['CANARY-118'])
  }
})

async function encryptAll(column: EncryptedColumn): Promise<number> {
  let replaced = 0
  for (let after = ''; ;) {
    const page = await column.page(database, after, 2)
    if (page.length === 0) return replaced
    const plaintext = page.filter(({ stored: text }) => text.startsWith('CANARY'))
    replaced += await inTransaction(database, async (transaction) => {
      const changes = []
      for (const { key: row, stored: from, associatedData } of plaintext)
        changes.push({ key: row, from, to: await cipher.encrypt(transaction, from, associatedData) })
      return column.replace(transaction, changes)
    })
    after = page.at(-1)!.key
  }
}
