/** Leases: one holder at a time; a holder that no longer answers delays the others by its lease at most. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestDatabase } from '../../test/support/database.ts'
import { waitFor } from '../../test/support/wait.ts'
import type { Queryable } from './database.ts'
import { Lease } from './lease.ts'

const { database } = await createTestDatabase()
let names = 0
const freshName = (): string => `work ${++names}`

async function endOf(name: string): Promise<Date> {
  const { rows } = await database.query<{ at: Date }>('select expires_at as at from leases where name = $1', [
    name,
  ])
  return rows[0]!.at
}

/** Counts the statements that a process sends. */
function counted(): { readonly database: Queryable; statements: number } {
  const count = {
    statements: 0,
    database: {
      query: (...parameters: unknown[]) => {
        count.statements++
        return (database.query as (...all: unknown[]) => unknown)(...parameters)
      },
    } as unknown as Queryable,
  }
  return count
}

test('of many processes that ask at the same time one gets the lease', async () => {
  const name = freshName()
  const leases = Array.from({ length: 10 }, () => new Lease(database, { name, durationMs: 60_000 }))
  const held = await Promise.all(leases.map((lease) => lease.hold()))
  assert.equal(held.filter(Boolean).length, 1)
  const others = new Lease(database, { name: freshName(), durationMs: 60_000 })
  assert.equal(await others.hold(), true, 'another work has its own lease')
})

test('another process gets the lease when a holder stops renewing it, and the holder detects the loss', async () => {
  const options = { name: freshName(), durationMs: 600 }
  const [silent, next] = [new Lease(database, options), new Lease(database, options)]
  const started = performance.now()
  assert.equal(await silent.hold(), true)
  await waitFor('the next holder', () => next.hold(), { timeoutMs: 2_000 })
  const waitedMs = performance.now() - started
  assert.ok(waitedMs >= options.durationMs, `${waitedMs} ms`)
  assert.equal(await silent.hold(), false)
})

test('a holder that renews its lease keeps it', async () => {
  const options = { name: freshName(), durationMs: 4_000 }
  const [busy, other] = [new Lease(database, options), new Lease(database, options)]
  assert.equal(await busy.hold(), true)
  const first = await endOf(options.name)
  await waitFor('a later end', async () => {
    assert.equal(await busy.hold(), true)
    assert.equal(await other.hold(), false)
    return (await endOf(options.name)) > first
  })
})

test('a lease that is given up is free at once', async () => {
  const options = { name: freshName(), durationMs: 60_000 }
  const first = new Lease(database, options)
  assert.equal(await first.hold(), true)
  await first.release()
  assert.equal(await new Lease(database, options).hold(), true)
  await first.release()
  assert.equal(await new Lease(database, options).hold(), false, 'only the holder can give it up')
})

test('a holder that cannot reach PostgreSQL treats its lease as lost no later than others can get it', async () => {
  const options = { name: freshName(), durationMs: 1_000 }
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined)
  let cut = false
  const cutOff = {
    query: (...parameters: unknown[]) =>
      cut ? lost.promise : (database.query as (...all: unknown[]) => unknown)(...parameters),
  } as unknown as Queryable
  const lease = new Lease(cutOff, options)
  assert.equal(await lease.hold(), true)
  cut = true
  const asked = lease.hold()
  await pause(1_100)
  lost.reject(new Error('connection lost'))
  if (await asked.catch(() => false)) assert.equal(await lease.hold().catch(() => false), false)
  assert.equal(await new Lease(database, options).hold(), true)
})

test('frequent requests cost four statements per lease, for the holder and for the others', async () => {
  const options = { name: freshName(), durationMs: 1_000 }
  const [mine, theirs] = [counted(), counted()]
  const [holder, other] = [new Lease(mine.database, options), new Lease(theirs.database, options)]
  for (const until = performance.now() + 1_000; performance.now() < until; await pause(5)) {
    await holder.hold()
    await other.hold()
  }
  assert.ok(mine.statements <= 5, `holder: ${mine.statements}`)
  assert.ok(theirs.statements <= 5, `other: ${theirs.statements}`)
})

test('a request for a lease that another process holds writes nothing', async () => {
  const options = { name: freshName(), durationMs: 60_000 }
  await new Lease(database, options).hold()
  const version = async (): Promise<unknown> =>
    (await database.query('select xmin, xmax from leases where name = $1', [options.name])).rows
  const before = await version()
  assert.equal(await new Lease(database, options).hold(), false)
  assert.deepEqual(await version(), before)
})

test('after PostgreSQL moved to a host whose clock is behind, a dead holder delays the others by its lease at most', async () => {
  const options = { name: freshName(), durationMs: 1_000 }
  const [dead, next] = [new Lease(database, options), new Lease(database, options)]
  assert.equal(await dead.hold(), true)
  const other = { name: freshName(), durationMs: 60_000 }
  await new Lease(database, other).hold()
  // The new host is an hour behind.
  await database.query(`update leases set expires_at = expires_at + interval '1 hour' where name = $1`, [
    options.name,
  ])
  await waitFor('the next holder', () => next.hold())
  assert.equal(await new Lease(database, other).hold(), false, 'a lease of the present time is kept')
})
