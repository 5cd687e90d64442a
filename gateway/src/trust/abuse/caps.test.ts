import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { openDatabase, type Database } from '../../platform/database/database.ts'
import { createCapStore, readCapUsage } from './cap-store.ts'
import { Caps, type CapUse } from './caps.ts'
import { setCap } from './protection.ts'

const { database, url } = await createTestDatabase()
const findPeriodStart = (period: string): string => (period === 'day' ? '2026-11-16' : '2026-11-01')
function startProcess(pool: Database = database): Caps {
  const caps = new Caps({ store: createCapStore(pool), findPeriodStart, log: silentLog, keepMs: 50 })
  addCleanup(() => caps.stop().catch(() => undefined))
  return caps
}
const use = (max: number, count = 1, name = 'all', period: 'day' | 'month' = 'day'): CapUse => ({
  period,
  class: name,
  max,
  count,
})
const used = async (accountId: number): Promise<number[]> =>
  (await readCapUsage(database, accountId, { day: '2026-11-16', month: '2026-11-01' })).map((row) => row.used)

suite('over several processes', () => {
  test('grants exactly the quantity of the cap over all processes', async () => {
    const processes = [startProcess(), startProcess(), startProcess()]
    const take = async (n: number): Promise<string> => (await processes[n % 3]!.take(1, [use(200)], 0)).kind
    const first = await Promise.all(Array.from({ length: 300 }, (_, n) => take(n)))
    assert.ok(!first.includes('busy'))
    // A process gives back what it has reserved and not used, so that another one can take it.
    let taken = first.filter((kind) => kind === 'taken').length
    await waitFor('all of it', async () => {
      if ((await take(taken)) === 'taken') taken++
      return taken === 200
    })
    assert.equal(await take(0), 'reached')
    assert.deepEqual(await used(1), [200])
  })

  test('one reservation serves hundreds of messages of a busy account', async () => {
    const store = createCapStore(database)
    let statements = 0
    const counted = {
      ...store,
      reserve: (...wanted: Parameters<typeof store.reserve>) => {
        statements++
        return store.reserve(...wanted)
      },
    }
    const caps = new Caps({ store: counted, findPeriodStart, log: silentLog })
    for (let n = 0; n < 50_000; n++) assert.equal((await caps.take(12, [use(100_000_000)], 0)).kind, 'taken')
    assert.ok(statements < 60, String(statements))
    await caps.stop()
    assert.deepEqual(await used(12), [50_000])
  })

  test('a message counts against all its caps or none', async () => {
    const caps = startProcess()
    const both = [use(10), use(2, 1, 'all', 'month')]
    for (const expected of ['taken', 'taken', 'reached', 'reached'])
      assert.equal((await caps.take(3, both, 0)).kind, expected)
    await caps.stop()
    assert.deepEqual((await used(3)).sort(), [2, 2])
  })

  test('a raised cap takes effect immediately, and a cap below the used quantity admits nothing', async () => {
    const caps = startProcess()
    assert.equal((await caps.take(4, [use(1)], 0)).kind, 'taken')
    assert.equal((await caps.take(4, [use(1)], 0)).kind, 'reached')
    assert.equal((await caps.take(4, [use(2)], 0)).kind, 'taken')
    assert.equal((await startProcess().take(4, [use(1)], 0)).kind, 'reached')
  })

  test('lowering a cap ends the reservations of processes, including pending ones', async () => {
    const store = createCapStore(database)
    const late = Promise.withResolvers<undefined>()
    let isLate = false
    const caps = new Caps({
      findPeriodStart,
      log: silentLog,
      keepMs: 60_000,
      store: {
        ...store,
        async reserve(...wanted) {
          const granted = await store.reserve(...wanted)
          if (isLate) await late.promise
          return granted
        },
      },
    })
    assert.equal((await caps.take(8, [use(1_000)], 0)).kind, 'taken')
    // A process reserves a sixteenth of what is left, here 1,000.
    assert.deepEqual(await used(8), [62])
    assert.equal((await caps.take(8, [use(1)], 0)).kind, 'reached')
    assert.deepEqual(await used(8), [1])
    assert.equal((await caps.take(8, [use(40)], 0)).kind, 'taken')
    isLate = true
    const waiting = caps.take(8, [use(1_000, 100)], 0)
    const lowered = caps.take(8, [use(3, 2)], 0)
    late.resolve(undefined)
    assert.deepEqual([(await waiting).kind, (await lowered).kind], ['reached', 'reached'])
    assert.equal((await caps.take(8, [use(3)], 0)).kind, 'taken')
    await caps.stop()
    assert.deepEqual(await used(8), [3])
  })

  test('every part of a message counts, and the count of a rejected message is undone', async () => {
    const caps = startProcess()
    const taken = await caps.take(5, [use(5, 3, 'DE')], 0)
    assert.ok(taken.kind === 'taken')
    assert.equal((await caps.take(5, [use(5, 3, 'DE')], 0)).kind, 'reached')
    taken.putBack()
    assert.equal((await caps.take(5, [use(5, 5, 'DE')], 0)).kind, 'taken')
  })
})

suite('statements', () => {
  /** Counts reservations, and lists the accounts of those that are given back. */
  function counted() {
    const store = createCapStore(database)
    const calls = { reserved: 0, givenBack: [] as number[] }
    const caps = new Caps({
      findPeriodStart,
      log: silentLog,
      keepMs: 60_000,
      keepShortMs: 20,
      store: {
        ...store,
        reserve: (...wanted) => {
          calls.reserved++
          return store.reserve(...wanted)
        },
        giveBack: (unused) => {
          calls.givenBack.push(...unused.map(({ key }) => key.accountId))
          return store.giveBack(unused)
        },
      },
    })
    addCleanup(() => caps.stop().catch(() => undefined))
    return { caps, calls }
  }

  test('an account that sends occasionally keeps its reservation unless the cap is nearly used up', async () => {
    const { caps, calls } = counted()
    assert.equal((await caps.take(20, [use(1_000)], 0)).kind, 'taken')
    const last = await caps.take(21, [use(20, 19)], 0)
    assert.ok(last.kind === 'taken')
    last.putBack()
    await waitFor('the last of the cap to be given back', () => calls.givenBack.includes(21))
    assert.equal((await caps.take(20, [use(1_000)], 0)).kind, 'taken')
    assert.deepEqual(calls, { reserved: 2, givenBack: [21] })
  })

  test('a repeated message with more parts than a cap has left reserves nothing', async () => {
    const { caps, calls } = counted()
    assert.equal((await caps.take(22, [use(5, 4)], 0)).kind, 'taken')
    assert.equal((await caps.take(22, [use(5, 2)], 0)).kind, 'reached')
    const { reserved } = calls
    for (let n = 0; n < 10; n++) assert.equal((await caps.take(22, [use(5, 2)], 0)).kind, 'reached')
    assert.equal(calls.reserved, reserved)
    await waitFor('the rest to be given back, although it is asked for', async () => {
      await caps.take(22, [use(5, 2)], 0)
      return calls.givenBack.includes(22)
    })
  })
})

test('an undone count returns to the day it was counted for', async () => {
  const caps = new Caps({
    store: createCapStore(database),
    log: silentLog,
    keepMs: 50,
    findPeriodStart: (_period, now) => (now === 0 ? '2026-11-16' : '2026-11-17'),
  })
  const taken = await caps.take(9, [use(1)], 0)
  assert.ok(taken.kind === 'taken')
  assert.equal((await caps.take(9, [use(1)], 1)).kind, 'taken')
  taken.putBack()
  assert.equal((await caps.take(9, [use(1)], 1)).kind, 'reached')
  await waitFor('the day before to get it back', async () => {
    const { rows } = await database.query('select used from cap_counts where account_id = 9 order by begins')
    return JSON.stringify(rows) === '[{"used":0},{"used":1}]'
  })
  await caps.stop()
})

test('counts nothing beyond the reservation while PostgreSQL is unavailable', async () => {
  const pool = openDatabase(url, silentLog, { connections: 1 })
  const caps = new Caps({ store: createCapStore(pool), findPeriodStart, log: silentLog, keepMs: 60_000 })
  assert.equal((await caps.take(6, [use(320)], 0)).kind, 'taken')
  await pool.end()
  const kinds: string[] = []
  for (let n = 0; n < 25; n++) kinds.push((await caps.take(6, [use(320)], 0)).kind)
  assert.deepEqual([kinds[0], kinds.at(-1)], ['taken', 'busy'])
  await caps.stop().catch(() => undefined)
})

test('a reservation with a late response is sent once, and its grant is used', async () => {
  const first = startProcess()
  assert.equal((await first.take(7, [use(320)], 0)).kind, 'taken')
  await first.stop()
  const caps = new Caps({
    store: createCapStore(database),
    findPeriodStart,
    log: silentLog,
    keepMs: 60_000,
    waitMs: 50,
  })
  const client = await database.connect()
  await client.query('begin')
  await client.query('select from cap_counts where account_id = 7 for update')
  for (let n = 0; n < 5; n++) assert.equal((await caps.take(7, [use(320)], 0)).kind, 'busy')
  await client.query('commit')
  client.release()
  await waitFor('the late response', async () => (await caps.take(7, [use(320)], 0)).kind === 'taken')
  assert.deepEqual(await used(7), [21])
  await caps.stop()
  assert.deepEqual(await used(7), [2])
})

test('the API returns A343 with the cap, and a dry run counts nothing', async () => {
  const { broker, topology } = await createTestBroker()
  await broker.declare(Object.values(topology.accepted))
  const api = await createTestServer({ database, broker, topology })
  const [shop, other] = [await api.account(), await api.account()]
  await setCap(database, shop.id, { period: 'day', class: 'sms', max: 2 })
  await api.trust.cache.refresh()
  const send = async (from = shop, query = '') =>
    (
      await api.call(from, 'POST', `/v1/send/sms${query}`, {
        from: '0234567890',
        to: '01012345678',
        text: 'hello',
      })
    ).body
  assert.equal((await send(shop, '?dryRun=true')).code, 'A000')
  assert.deepEqual([(await send()).code, (await send()).code], ['A000', 'A000'])
  const refused = await send()
  assert.equal(refused.code, 'A343')
  assert.match(refused.result, /at most 2 messages of the class sms per day/)
  assert.equal((await send(shop, '?dryRun=true')).code, 'A343')
  assert.equal((await send(other)).code, 'A000')
  await setCap(database, shop.id, { period: 'day', class: 'sms', max: null })
  await api.trust.cache.refresh()
  assert.equal((await send()).code, 'A000')
})
