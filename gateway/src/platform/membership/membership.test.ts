import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { openDatabase } from '../database/database.ts'
import { Holdings } from './holdings.ts'
import type { Membership } from './membership.ts'
import { beat, claimExactly, hasSeenNoJump, retireMembers, type MemberRow } from './tables.ts'

const { database, url } = await createTestDatabase()

beforeEach(async () => {
  await database.query('delete from owned')
})

const row = (id: string, changes: Partial<MemberRow> = {}): MemberRow => ({
  id,
  role: 'worker',
  host: 'elsewhere:1',
  takes: [],
  clockAgrees: true,
  oldestReceiptAt: null,
  ...changes,
})

/** Moves the last renewal of a member, as if PostgreSQL's clock or the member had stopped. */
const moveRenewal = (id: string, by: string) =>
  database.query('update members set seen_at = now() + $2::interval where id = $1', [id, by])

async function joined(member = joinMembers(database)): Promise<Membership> {
  await waitFor('the first heartbeat', () => member.state === 'active')
  return member
}

test('the oldest receipt of a silent worker limits othersSettledThrough until the broker has redelivered it', async () => {
  await database.query('delete from members')
  const oldest = new Date(Date.now() - 30_000)
  await beat(database, row('peer', { oldestReceiptAt: oldest }))
  await beat(database, row('smpp', { role: 'smpp-server', oldestReceiptAt: new Date(0) }))
  const settledThrough = async () => (await beat(database, row('own'))).othersSettledThrough
  assert.deepEqual(await settledThrough(), oldest)
  await moveRenewal('peer', '-9 s')
  assert.deepEqual(await settledThrough(), oldest)
  await moveRenewal('peer', '-11 s')
  assert.equal(await settledThrough(), null)
})

test('only a member that started before a clock jump and saw none shows that this machine was paused', async () => {
  await database.query('delete from members')
  const jumpedAt = new Date(Date.now() - 60_000)
  const isExplained = async (clockAgrees: boolean, startedAt: Date): Promise<boolean> => {
    await beat(database, row('peer', { clockAgrees }))
    await database.query(`update members set started_at = $1 where id = 'peer'`, [startedAt])
    return hasSeenNoJump(database, jumpedAt)
  }
  const [before, after] = [new Date(jumpedAt.getTime() - 60_000), new Date(jumpedAt.getTime() + 1_000)]
  assert.equal(await isExplained(true, before), true)
  assert.equal(await isExplained(false, before), false, 'it has seen the jump: the clock was set')
  assert.equal(await isExplained(true, after), false, 'it started under the new time')
})

test('only one of several concurrent processes gets a duty', async () => {
  const members = await Promise.all(Array.from({ length: 5 }, () => joined()))
  const duties = members.map((member) => member.duty('work'))
  const grants = await Promise.all(duties.map((duty) => duty.hold()))
  assert.equal(grants.filter(Boolean).length, 1)
  const holder = duties[grants.indexOf(true)]!
  await holder.release()
  const others = duties.filter((duty) => duty !== holder)
  await waitFor('another holder', async () =>
    (await Promise.all(others.map((duty) => duty.hold()))).includes(true),
  )
})

test('a member repeats no claim while no owner changes, and notices a lost duty with its next heartbeat', async () => {
  let claims = 0
  const counted = openDatabase(url, silentLog, {
    connections: 2,
    onStatement: (name) => (claims += name === 'claim-owned' ? 1 : 0),
  })
  addCleanup(() => counted.end())
  const [member, other] = [await joined(joinMembers(database, { database: counted })), await joined()]
  const [mine, theirs] = [member.duty('steady'), other.duty('steady')]
  assert.equal(await mine.hold(), true)
  const readBeats = async (): Promise<number> =>
    (
      await database.query<{ at: Date }>('select seen_at as at from members where id = $1', [member.id])
    ).rows[0]!.at.getTime()
  let settledAt = await readBeats()
  let settled = claims
  await waitFor('three heartbeats without a claim', async () => {
    const at = await readBeats()
    if (claims > settled) [settledAt, settled] = [at, claims]
    return at - settledAt > 3_000
  })
  assert.equal(await mine.hold(), true)
  await database.query(`update owned set member = $1, epoch = default where key = 'steady'`, [other.id])
  await waitFor('the loss', async () => !(await mine.hold()), { timeoutMs: 3_000 })
  await waitFor('the other holder', () => theirs.hold())
  await database.query(`delete from owned where key = 'steady'`)
  const isOwned = async () => (await database.query(`select from owned where key = 'steady'`)).rowCount === 1
  await waitFor('the lost row of the duty', isOwned, { timeoutMs: 3_000 })
})

test('an unreachable member is cut off before others get its duties', async () => {
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, silentLog, { connections: 1 })
  const cutOff = await joined(joinMembers(distant))
  const other = await joined()
  const [mine, theirs] = [cutOff.duty('exclusive'), other.duty('exclusive')]
  assert.equal(await mine.hold(), true)
  assert.ok(cutOff.respondingMs > 0)
  proxy.mute()
  await waitFor(
    'the other member',
    async () => {
      if (!(await theirs.hold())) return false
      assert.equal(cutOff.state, 'cut off')
      await assert.rejects(mine.hold())
      return true
    },
    { timeoutMs: 12_000 },
  )
  assert.equal(cutOff.respondingMs, 0)
  const reopened = performance.now()
  proxy.unmute()
  await waitFor('it to be back', () => cutOff.state === 'active', { timeoutMs: 8_000 })
  assert.ok(cutOff.respondingMs <= performance.now() - reopened)
  assert.equal(await mine.hold(), false)
  await distant.end()
})

test('a member that cannot renew stops its work before others take over', async () => {
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, silentLog, { connections: 1 })
  addCleanup(() => distant.end())
  // Only the heartbeats are cut off; claims and everything else still reach PostgreSQL.
  const [cutOff, other] = [await joined(joinMembers(distant, { database })), await joined()]
  const [mine, theirs] = [cutOff, other].map((member) => new Holdings(member, 'webhook', silentLog))
  let isWorking = false
  const begin = () => {
    isWorking = true
    return {
      stop: () => {
        isWorking = false
        return Promise.resolve()
      },
    }
  }
  const start = async (): Promise<void> => {
    for (const { key } of await mine!.claim(['a'])) mine!.start(key, begin)
  }
  await start()
  assert.equal(isWorking, true)
  proxy.mute()
  await waitFor(
    'the other member',
    async () => {
      await start()
      if ((await theirs!.claim(['a'])).length === 0) return false
      assert.equal(isWorking, false)
      return true
    },
    { timeoutMs: 12_000 },
  )
  proxy.unmute()
  await theirs!.claim([])
  await waitFor('the work to start again', async () => {
    await start()
    return isWorking
  })
})

test('a waiting claim does not delay the heartbeats', async () => {
  const member = await joined()
  const readRenewal = async (): Promise<Date> =>
    (await database.query<{ at: Date }>('select seen_at as at from members where id = $1', [member.id]))
      .rows[0]!.at
  const locking = await database.connect()
  await locking.query('begin; lock table owned in share mode')
  let isClaimed = false
  const claim = new Holdings(member, 'webhook', silentLog).claim(['a']).finally(() => (isClaimed = true))
  const before = (await readRenewal()).getTime()
  await waitFor('a later heartbeat', async () => (await readRenewal()).getTime() > before + 1_500)
  assert.equal(isClaimed, false)
  await locking.query('rollback')
  locking.release()
  assert.equal((await claim).length, 1)
})

test('a claim takes free, ended, silent and future items, but none of a live member', async () => {
  const members = ['live', 'silent', 'ahead', 'ended', 'next']
  for (const id of members) await beat(database, row(id))
  for (const id of members.slice(0, 4)) await claimExactly(database, id, 'partition', [id])
  await moveRenewal('silent', '-8 s')
  await moveRenewal('ahead', '1 hour')
  await retireMembers(database, ['ended'])
  const claims = await claimExactly(database, 'next', 'partition', [...members, 'free'])
  assert.deepEqual(claims.map(({ key }) => key).sort(), ['ahead', 'ended', 'free', 'next', 'silent'])
  const again = await claimExactly(database, 'next', 'partition', [...members, 'free'])
  assert.deepEqual(new Set(again), new Set(claims), 'a repeated claim changes nothing')
})

test('an item that returns to its owner has a larger epoch', async () => {
  for (const id of ['first', 'second']) await beat(database, row(id))
  const [before] = await claimExactly(database, 'first', 'webhook', ['thing'])
  await moveRenewal('first', '-8 s')
  assert.equal((await claimExactly(database, 'second', 'webhook', ['thing'])).length, 1)
  await claimExactly(database, 'second', 'webhook', [])
  const [after] = await claimExactly(database, 'first', 'webhook', ['thing'])
  assert.ok(after!.epoch > before!.epoch)
})

test('work stops if another member owned the item, and is released at its end', async () => {
  const member = await joined()
  const holdings = new Holdings(member, 'delivery', silentLog)
  const ended = Promise.withResolvers<undefined>()
  let stops = 0
  const start = async (): Promise<void> => {
    for (const { key } of await holdings.claim(['a']))
      holdings.start(key, () => ({
        stop: () => {
          stops += 1
          return stops === 1 ? ended.promise : Promise.resolve()
        },
      }))
  }
  const rows = async (): Promise<number> =>
    (await database.query('select from owned where member = $1', [member.id])).rowCount!
  await start()
  await database.query(`update owned set epoch = epoch + 1 where key = 'a'`)
  await start()
  assert.deepEqual([stops, holdings.running.size, await rows()], [1, 0, 1])
  await start()
  assert.equal(holdings.running.size, 0, 'it starts again only after the end')
  ended.resolve(undefined)
  await waitFor('the release', async () => holdings.size === 0 && (await rows()) === 0)
  await start()
  assert.equal(holdings.running.size, 1)
  await holdings.claim([])
  await waitFor('the end', async () => holdings.size === 0 && (await rows()) === 0)
})
