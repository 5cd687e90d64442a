import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { VolumeWatch } from './volume-watch.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const { log, lines } = createMemoryLog()
const watch = new VolumeWatch({ database, timeZone: 'Asia/Seoul', metrics, log })
const counted = async (): Promise<number> => (await metrics.unusualVolume.get()).values[0]!.value

async function addAccount(name: string, ageDays: number, messages: Record<number, number>): Promise<void> {
  const id = await createAccount(database, name)
  await database.query(`update accounts set created_at = now() - $2 * interval '1 day' where id = $1`, [
    id,
    ageDays,
  ])
  for (const [daysAgo, sent] of Object.entries(messages))
    await database.query(
      `insert into usage_days (account_id, day, channel, carrier, outcome, payment_code, messages, steps, parts)
       select $1, (now() at time zone 'Asia/Seoul')::date - $2::int, channel, '', 'delivered', '', $3::int / 2, 0, 0
         from unnest('{sms,mms}'::text[]) channel`,
      [id, daysAgo, sent],
    )
}

test('an account with over three times its busiest day of the week is counted once', async () => {
  await addAccount('stolen', 30, { 0: 3_002, 3: 1_000, 8: 9_000 })
  await addAccount('usual', 30, { 0: 3_000, 7: 1_000 })
  await addAccount('small', 30, { 0: 998, 1: 10 })
  await addAccount('new', 2, { 0: 9_000, 1: 10 })
  for (let round = 0; round < 2; round += 1) await watch.check()
  assert.equal(await counted(), 1)
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /"clientId":"stolen","today":3002,"busiest":1000/)
  watch.reset()
  assert.equal(await counted(), 0)
})
