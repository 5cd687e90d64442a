import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, recordJobs } from '../../../test/support/fixtures.ts'
import { createTestServer, type TestAccount } from '../../../test/support/http/server.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { Step } from '../../channels/channel.ts'
import { setSwitches } from '../switches.ts'
import { toUtcDate, readCodeUse, Conversions } from './conversions.ts'
import { updateProtection } from './protection.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
await broker.declare(Object.values(topology.accepted))
await setSwitches(database, ['low-conversion'], true, createTestAuditContext())
const api = await createTestServer({ database, broker, topology })
const code = 'your verification code is 123456'
const german = '+4915112345678'

async function record(account: TestAccount, count: number, text = code): Promise<string[]> {
  const steps: Step[] = [{ channel: 'international', from: '0234567890', text }]
  const keys = await recordJobs(
    database,
    acceptedJobs(count, { accountId: account.id }).map((job) => ({ ...job, to: german, steps })),
  )
  return keys.map(({ msgKey }) => msgKey)
}
async function report(account: TestAccount, msgKey: unknown): Promise<unknown> {
  const { body } = await api.call(account, 'POST', '/v1/conversion', { msgKey })
  return body.code === 'A000' ? (body.data as { counted: number }).counted : body.code
}
const setCodes = (account: TestAccount, country: string, codes: number) =>
  database.query(
    `insert into conversion_counts as c (account_id, country, day, codes) values ($1, $2, $3, $4)
     on conflict (account_id, country, day) do update set codes = excluded.codes`,
    [account.id, country, toUtcDate(Date.now()), codes],
  )

test('a message counts once, if it is a code of the account', async () => {
  const [shop, other] = [await api.account(), await api.account()]
  const keys = await record(shop, 3)
  const [notice] = await record(shop, 1, 'your parcel has arrived')
  assert.equal(await report(shop, [keys[0], keys[1], keys[1], notice, 'UNKNOWN']), 2)
  assert.equal(await report(shop, keys), 1)
  assert.equal(await report(other, keys), 0)
  for (const wrong of [[], ['a b'], 'x', Array.from({ length: 101 }, () => 'A')])
    assert.equal(await report(shop, wrong), 'A300')
  const use = await readCodeUse(database, toUtcDate(Date.now()))
  assert.deepEqual(use, [{ accountId: shop.id, country: 'DE', codes: 0, converted: 3 }])
})

test('codes to a country with few used codes are refused, others are not', async () => {
  const shop = await api.account()
  await updateProtection(database, shop.id, { countries: ['*'] })
  await api.trust.cache.refresh()
  const conversions = new Conversions({ database, log: silentLog, readEveryMs: 0, addEveryMs: 5 })
  const isLow = (to = german): boolean => conversions.isLow(shop.id, to, Date.now())
  const steps: Step[] = [{ channel: 'international', from: '0234567890', text: code }]
  await setCodes(shop, 'DE', 1_000)
  isLow()
  assert.equal(conversions.add(shop.id, german, steps, Date.now()), undefined, 'it reports none')
  const keys = await record(shop, 30)
  assert.equal(await report(shop, keys.slice(0, 20)), 20)
  await waitFor('the counts', () => isLow())
  assert.equal(isLow('+12025550123'), false)
  await setCodes(shop, 'DE', 49)
  await waitFor('fewer codes than are significant', () => !isLow())
  await setCodes(shop, 'DE', 50)
  await waitFor('20 of 50', () => isLow())
  assert.equal(await report(shop, keys), 10)
  await waitFor('30 of 50', () => !isLow())
  for (let n = 0; n < 10; n++) conversions.add(shop.id, german, steps, Date.now())
  conversions.add(shop.id, german, steps, Date.now())!()
  await waitFor('30 of 60, counted in memory', () => isLow())
  await conversions.stop()
})

test('the API returns A345 or holds; other texts and safe numbers are unaffected', async () => {
  const shop = await api.account()
  await updateProtection(database, shop.id, { countries: ['*'], safeNumbers: ['+49160'] })
  await api.trust.cache.refresh()
  await setCodes(shop, 'DE', 100)
  assert.equal(await report(shop, await record(shop, 1)), 1)
  const send = async (text: string, to = german, query = ''): Promise<string> => {
    const url = `/v1/send/international${query}`
    return (await api.call(shop, 'POST', url, { from: '0234567890', to, text })).body.code
  }
  await waitFor('the counts', async () => (await send(code, german, '?dryRun=true')) === 'A345', {
    timeoutMs: 20_000,
  })
  assert.equal(await send(code), 'A345')
  assert.deepEqual([await send('your parcel'), await send(code, '+491601234567')], ['A000', 'A000'])
  await updateProtection(database, shop.id, { onSuspicion: 'hold' })
  await api.trust.cache.refresh()
  assert.equal(await send(code), 'A000')
})
