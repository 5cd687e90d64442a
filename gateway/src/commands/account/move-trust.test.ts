/** `postern account move` takes the senders of the account, their history and its codes along. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAct } from '../../../test/support/act.ts'
import { a, b, move, moved, newAccount, runIn, testInvocation } from '../../../test/support/two-cells.ts'
import { findAccountId } from '../../accounts/queries.ts'
import { changeAccountTrust, readAccountTrust } from '../../trust/accounts.ts'
import { changeAccountAdvertising, readAccountAdvertising } from '../../trust/advertising/accounts.ts'
import { readQuietHours, setQuietHours } from '../../trust/quiet-hours/settings.ts'
import { changeSender } from '../../trust/senders/changes.ts'
import { registerSenders } from '../../trust/senders/register.ts'
import { findSender, readSenderChanges } from '../../trust/senders/queries.ts'
import { setSwitches } from '../../trust/switches.ts'
import { addKey } from './key.ts'

test('a move into a cell whose rules are stricter is refused, and forced only on purpose', async () => {
  const { clientId } = await newAccount(a)
  const by = testAct()
  await setSwitches(a.database, ['sender-number-registered', 'origin-code-owned'], false, by)
  await setSwitches(b.database, ['sender-number-registered'], true, by)
  await setSwitches(b.database, ['origin-code-owned'], false, by)
  const refused = await move(clientId, a, b, { wait: false })
  assert.match(refused.error, /off in cell A1 are on in cell B1.*: sender-number-registered\. .*--force/)
  assert.equal(await findAccountId(b.database, clientId), null, 'nothing is copied')
  const plan = await move(clientId, a, b, { dryRun: true })
  assert.match(plan.lines.join('\n'), /note: rules that are off in cell A1 are on in cell B1/)
  assert.equal((await move(clientId, a, b, { wait: false, force: true })).error, '')
  // A run that forwards reports changes nothing that a rule judges.
  assert.equal((await move(clientId, a, b, { wait: false })).error, '')
  await setSwitches(b.database, ['sender-number-registered'], false, by)
})

test('a move says that API keys name the old cell', async () => {
  const { clientId } = await newAccount(a)
  await runIn(a, () => addKey(testInvocation(), clientId, { name: '' }))
  for (const options of [{ dryRun: true }, { wait: false }]) {
    const { lines } = await move(clientId, a, b, options)
    assert.match(lines.join('\n'), /note: .* has 1 API keys\. A key names the cell/)
  }
})

test('senders, their states and history, and what is set for the account move with it', async () => {
  const { id: accountId, clientId } = await newAccount(a)
  // Another account of the new cell, so that ids differ.
  await newAccount(b)
  const act = testAct('kim', 'asked for')
  const proof = { kind: 'certificate', reference: 'KT-1', issued: '2026-11-01' } as const
  const validUntil = new Date('2099-01-01T00:00:00Z')
  const values = ['0234567890', '0234567891']
  await registerSenders(
    a.database,
    values.map((value) => ({ accountId, kind: 'number', value, state: 'active', proof, validUntil })),
    act,
  )
  const blocked = { accountId, kind: 'number', value: values[1]! } as const
  await changeSender(a.database, blocked, { act, to: 'blocked', today: '2026-11-16' })
  const trust = { kind: 'reseller', sandbox: false, originCodes: ['123456789'] } as const
  await changeAccountTrust(a.database, accountId, trust)
  const advertising = { advertiser: true, names: ['Shop'], optOutNumbers: ['0801234567'] }
  await changeAccountAdvertising(a.database, accountId, advertising)
  const hours = { opensAt: 9 * 60, closesAt: 20 * 60, choice: 'hold' } as const
  await setQuietHours(a.database, accountId, 'mms', hours)

  await moved(clientId, a, b)
  const there = (await findAccountId(b.database, clientId))!
  assert.deepEqual(await readAccountTrust(b.database, there), trust)
  assert.deepEqual(await readAccountAdvertising(b.database, there), advertising)
  assert.deepEqual(
    (await readQuietHours(b.database)).filter((row) => row.accountId === there),
    [{ ...hours, accountId: there, clientId, channel: 'mms' }],
  )
  for (const value of values) {
    const [before, after] = [
      (await findSender(a.database, { accountId, kind: 'number', value }))!,
      (await findSender(b.database, { accountId: there, kind: 'number', value }))!,
    ]
    assert.deepEqual(after, { ...before, id: after.id, accountId: there })
    assert.deepEqual(
      await readSenderChanges(b.database, after.id),
      await readSenderChanges(a.database, before.id),
    )
  }
})
