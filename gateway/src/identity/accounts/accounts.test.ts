/** The cached copy of the accounts table includes every change, whatever the order of commits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount, newAccount, setBlocked } from '../../../test/support/fixtures.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { defaultSettings } from './account.ts'
import { createAccountDirectory } from './directory.ts'
import { insertAccount, revokeTokens, updateSettings } from './queries.ts'

const { database } = await createTestDatabase()
const accounts = createAccountDirectory(database, silentLog)
const findAccount = async (clientId: string) => {
  await accounts.refresh()
  return accounts.value.byClientId.get(clientId)
}

test('an account is found by id and by client id', async () => {
  const id = await createAccount(database, 'found', { partCounts: true, mayPoll: false })
  const account = await findAccount('found')
  assert.equal(account, accounts.value.byId.get(id))
  const { passwords, smppPasswords, ...settings } = account!
  assert.deepEqual(smppPasswords, [])
  assert.deepEqual(
    passwords.map(({ accountId, kind, hash }) => [accountId, kind, hash]),
    [[id, 'password', 'no password fits']],
  )
  assert.deepEqual(settings, {
    id,
    clientId: 'found',
    name: 'A test account',
    blocked: false,
    mayPoll: false,
    partCounts: true,
    reportKeys: 'full',
    limits: { send: null, report: null, file: null, form: null },
    lane: null,
    weight: 1,
    eraseAfterDays: null,
    uncertainFallback: 'always',
    smppBinds: 0,
    smppSystemId: null,
    smppReplies: false,
    smartEncoding: true,
    batchMegabytes: 1_024,
    tokenEpoch: 1,
  })
})

test('rejects a client id that is already in use', async () => {
  await createAccount(database, 'taken')
  await assert.rejects(insertAccount(database, newAccount('taken')), /'taken' is already in use/)
})

test('the next refresh sees blocks, unblocks and revocations', async () => {
  await createAccount(database, 'changed')
  await setBlocked(database, 'changed', true)
  assert.equal((await findAccount('changed'))!.blocked, true)
  await setBlocked(database, 'changed', false)
  assert.equal((await findAccount('changed'))!.blocked, false)
  assert.equal(await revokeTokens(database, 'changed'), true)
  assert.equal((await findAccount('changed'))!.tokenEpoch, 2)
})

test('the next refresh sees stored settings', async () => {
  const settings = {
    mayPoll: false,
    partCounts: true,
    reportKeys: 'plain',
    limits: { send: 500, report: 0, file: null, form: 4 },
    lane: 'bulk',
    weight: 7,
    smartEncoding: false,
  } as const
  await createAccount(database, 'settled', settings)
  const { mayPoll, partCounts, reportKeys, limits, lane, weight, smartEncoding } =
    (await findAccount('settled'))!
  assert.deepEqual({ mayPoll, partCounts, reportKeys, limits, lane, weight, smartEncoding }, settings)
  assert.equal(await updateSettings(database, 'settled', defaultSettings), true)
  assert.deepEqual((await findAccount('settled'))!.limits, defaultSettings.limits)
  assert.equal((await findAccount('settled'))!.reportKeys, 'full')
})

test('reports an unknown account', async () => {
  assert.equal(await revokeTokens(database, 'nobody'), false)
  assert.equal(await updateSettings(database, 'nobody', defaultSettings), false)
})

test('never misses a change that commits after a later one', async () => {
  await createAccount(database, 'early')
  await createAccount(database, 'late')
  const slow = await database.connect()
  await slow.query('begin')
  const changed = { ...defaultSettings, partCounts: !defaultSettings.partCounts }
  await updateSettings(slow, 'early', changed)
  await updateSettings(database, 'late', changed)
  assert.equal((await findAccount('late'))!.partCounts, changed.partCounts)
  await slow.query('commit')
  slow.release()
  assert.equal((await findAccount('early'))!.partCounts, changed.partCounts)
})
