import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createTrustCache } from '../cache.ts'
import { readVersions } from '../versions.ts'
import { changeSender } from './changes.ts'
import { registerSenders, type SenderRegistration } from './register.ts'
import { findSender, readSenderChanges, readSendersFrom } from './queries.ts'
import { checkProofForApproval } from './registration.ts'
import { SenderIndex } from './sender-index.ts'
import { createSenders } from './senders.ts'
import type { SenderProof } from './sender.ts'

const { database } = await createTestDatabase()
const accountId = await createAccount(database, 'shop-1', {})
const key = { accountId, kind: 'number', value: '0234567890' } as const
const act = createTestAuditContext('kim', 'asked for')
const today = '2026-11-16'
const proof: SenderProof = { kind: 'certificate', reference: 'KT-1', issued: '2026-10-01' }
const pending: SenderRegistration = { ...key, state: 'pending', proof: null, validUntil: null }

test('every change has a row of its history, and a repeated registration changes nothing', async () => {
  assert.equal((await registerSenders(database, [pending], act)).length, 1)
  assert.equal((await registerSenders(database, [pending], act)).length, 0)
  const until = new Date('2027-11-16T00:00:00Z')
  await changeSender(database, key, { act, to: 'active', proof, validUntil: until, today })
  await changeSender(database, key, { act: createTestAuditContext('lee', 'stolen'), to: 'blocked', today })
  // An import does not unblock.
  assert.equal((await registerSenders(database, [{ ...pending, state: 'active', proof }], act)).length, 0)
  const sender = (await findSender(database, key))!
  assert.deepEqual([sender.state, sender.proof, sender.validUntil], ['blocked', proof, until])
  const changes = await readSenderChanges(database, sender.id)
  assert.deepEqual(
    changes.map(({ by: who, from, to, reason }) => [who, from, to, reason]),
    [
      ['kim', null, 'pending', 'asked for'],
      ['kim', 'pending', 'active', 'asked for'],
      ['lee', 'active', 'blocked', 'stolen'],
    ],
  )
})

test('control sender-history-kept: a replaced proof stays in the history with its author', async () => {
  const kept = { ...key, value: '0234567899' }
  const kt = (reference: string, issued = '2026-10-01'): SenderProof => ({
    kind: 'certificate',
    reference,
    issued,
  })
  const lee = createTestAuditContext('lee', 'renewed')
  await registerSenders(database, [{ ...pending, ...kept, proof: kt('KT-0') }], act)
  await registerSenders(database, [{ ...pending, ...kept, proof: kt('KT-1') }], act)
  // Approved with the proof that it already has.
  await changeSender(database, kept, { act, to: 'active', today })
  await changeSender(database, kept, { act: lee, to: 'active', proof: kt('KT-2', '2026-11-02'), today })
  await changeSender(database, kept, { act, to: 'blocked', today })
  const consent: SenderProof = { kind: 'consent', reference: 'doc-3', issued: null }
  await changeSender(database, kept, { act, to: 'active', proof: consent, today })
  const imported = { ...kept, state: 'active', proof: kt('KT-4'), validUntil: null } as const
  await registerSenders(database, [imported], lee)
  const changes = await readSenderChanges(database, (await findSender(database, kept))!.id)
  assert.deepEqual(
    changes.map(({ by, to, proof: given }) => [by, to, given]),
    [
      ['kim', 'pending', kt('KT-0')],
      ['kim', 'pending', kt('KT-1')],
      ['kim', 'active', kt('KT-1')],
      ['lee', 'active', kt('KT-2', '2026-11-02')],
      ['kim', 'blocked', null],
      ['kim', 'active', consent],
      ['lee', 'active', kt('KT-4')],
    ],
  )
  for (const { at } of changes) assert.ok(at instanceof Date)
})

test('a number without a proof is not approved and keeps its state', async () => {
  const unproven = { ...key, value: '0234567891' }
  await registerSenders(database, [{ ...pending, ...unproven }], act)
  await assert.rejects(changeSender(database, unproven, { act, to: 'active', today }), /has no proof/)
  assert.equal((await findSender(database, unproven))!.state, 'pending')
  assert.equal(await changeSender(database, { ...key, value: '1' }, { act, to: 'rejected', today }), null)
})

test('a certificate is at most three months old, and a special number needs one', () => {
  const certificate = (issued: string | null): SenderProof => ({ ...proof, issued })
  checkProofForApproval('number', '0234567890', certificate('2026-08-16'), today)
  checkProofForApproval('number', '0234567890', certificate('2026-11-16'), today)
  checkProofForApproval('number', '0234567890', certificate('2026-02-28'), '2026-05-28')
  const fails = (issued: string | null, why: RegExp): void =>
    assert.throws(() => checkProofForApproval('number', '0234567890', certificate(issued), today), why)
  fails('2026-08-15', /more than 3 months/)
  fails('2026-11-17', /in the future/)
  fails(null, /requires its issue date/)
  const operator: SenderProof = { kind: 'operator', reference: 'x', issued: null }
  checkProofForApproval('number', '0234567890', operator, today)
  assert.throws(() => checkProofForApproval('number', '112', operator, today), /special number/)
  checkProofForApproval('brand', 'BR.a', null, today)
})

test('no change is missed after a failover that lost changes', async () => {
  const index = new SenderIndex()
  const group = createSenders({}, index)
  const cache = createTrustCache(database, [group], silentLog)
  const [lost, later] = ['0277770001', '0277770002']
  const accountId = await createAccount(database, 'after-failover')
  const sender = (value: string) => ({ accountId, kind: 'number' as const, value })
  const register = (value: string) =>
    registerSenders(database, [{ ...sender(value), state: 'active', proof: null, validUntil: null }], act)
  const stateOf = (value: string) => index.getState(accountId, 'number', value, 0)
  await register(later)
  await cache.refresh()
  const { rows } = await database.query<{ version: string }>(
    `select version::text from trust_versions where topic = 'senders'`,
  )
  const loseLastChange = async (): Promise<void> => {
    await database.query(
      `update trust_versions set version = $1, mark = gen_random_uuid() where topic = 'senders'`,
      [rows[0]!.version],
    )
    await database.query('delete from senders where account_id = $1 and value = $2', [accountId, lost])
  }
  await register(lost)
  await cache.refresh()
  assert.equal(stateOf(lost), 'active')
  // The next change gets the number of the lost one, before the process has read again.
  await loseLastChange()
  await changeSender(database, sender(later), { act, to: 'blocked', today })
  await cache.refresh()
  assert.equal(stateOf(later), 'blocked')
  // Reading a lower number causes everything to be read again.
  await register(lost)
  await cache.refresh()
  await loseLastChange()
  await cache.refresh()
  assert.deepEqual([stateOf(lost), stateOf(later)], ['unknown', 'blocked'])
})

test('a change is read by its version, whatever the order of transactions', async () => {
  const index = new SenderIndex()
  index.apply(await readSendersFrom(database, index.version))
  const many = Array.from({ length: 20 }, (_, nth) => ({ ...pending, value: `02345678${10 + nth}` }))
  await Promise.all(many.map((registration) => registerSenders(database, [registration], act)))
  const changed = await readSendersFrom(database, index.version)
  const values = new Set(changed.senders.map(({ value }) => value))
  assert.ok(many.every(({ value }) => values.has(value)))
  index.apply(changed)
  assert.equal(index.getState(accountId, 'number', '0234567829', 0), 'pending')
  assert.equal((await readVersions(database)).get('senders')!.version, index.version)
})
