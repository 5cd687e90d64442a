import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueryConfig } from 'pg'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, attempt, recordJobs, recordOne } from '../../../test/support/fixtures.ts'
import { recordAttempts } from '../attempts/attempts.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { claimSteps, createClaim, returnClaims, type StepClaimResult } from './claim.ts'

const { database } = await createTestDatabase()

/** Claims each step with a new claim, as different owners do. */
function claimAll(keys: readonly StepKey[]): Promise<StepClaimResult[]> {
  return claimSteps(
    database,
    keys.map((key) => createClaim(key)),
  )
}

test('returns each of the four results, in the order of the keys', async () => {
  const [interrupted, free, recorded, closed] = await recordJobs(database, acceptedJobs(4))
  await claimAll([interrupted!, recorded!])
  await recordAttempts(database, [attempt(recorded!)])
  await database.query('delete from in_flight where msg_key = $1', [closed!.msgKey])
  const results = await claimAll([recorded!, closed!, free!, interrupted!])
  assert.deepEqual(results, ['answered', 'stale', 'claimed', 'unanswered'])
})

test('a step that was never recorded, or is not current, is stale', async () => {
  const key = await recordOne(database)
  const results = await claimAll([
    { ...key, msgKey: key.msgKey.replace(/.$/, '_') },
    { ...key, step: 2 },
    { ...key, try: 2 },
  ])
  assert.deepEqual(results, ['stale', 'stale', 'stale'])
  assert.deepEqual(await claimAll([key]), ['claimed'])
})

test('the current one of a stale and a current step in one batch is claimed', async () => {
  const key = await recordOne(database)
  await database.query('update in_flight set step = 2 where msg_key = $1', [key.msgKey])
  assert.deepEqual(await claimAll([key, { ...key, step: 2 }]), ['stale', 'claimed'])
})

test('one of many concurrent claims wins', async () => {
  const keys = await recordJobs(database, acceptedJobs(50))
  const shuffled = [keys, [...keys].reverse(), keys, [...keys].reverse()]
  const resultsByOwner = await Promise.all(
    shuffled.map(async (mine) => {
      // Opposite orders can deadlock; PostgreSQL ends one of them, and that one is retried as in dispatch.
      for (;;) {
        try {
          return new Map((await claimAll(mine)).map((result, index) => [mine[index]!.msgKey, result]))
        } catch (error) {
          if ((error as { code?: string }).code !== '40P01') throw error
        }
      }
    }),
  )
  for (const { msgKey } of keys) {
    const results = resultsByOwner.map((byKey) => byKey.get(msgKey)).sort()
    assert.deepEqual(results, ['claimed', 'unanswered', 'unanswered', 'unanswered'])
  }
})

test('one of several claims of one step in one batch wins', async () => {
  const key = await recordOne(database)
  const results = await claimAll([key, key, key])
  assert.deepEqual(results.sort(), ['answered', 'answered', 'claimed'])
})

test('a claim whose response was lost is granted again only to its own token', async () => {
  const key = await recordOne(database)
  const claim = createClaim(key)
  assert.deepEqual(await claimSteps(database, [claim]), ['claimed'])
  assert.deepEqual(await claimSteps(database, [claim]), ['claimed'])
  assert.deepEqual(await claimAll([key]), ['unanswered'])
  assert.deepEqual(await claimSteps(database, [claim]), ['claimed'])
})

test('a returned claim can be claimed again, and only then', async () => {
  const key = await recordOne(database)
  const claim = createClaim(key)
  await claimSteps(database, [claim])
  assert.deepEqual(await claimAll([key]), ['unanswered'])
  await returnClaims(database, [claim])
  assert.deepEqual(await claimAll([key]), ['claimed'])
})

test('a repeated return does not release the claim of a successor', async () => {
  const key = await recordOne(database)
  const [first, successor] = [createClaim(key), createClaim(key)]
  await claimSteps(database, [first])
  await returnClaims(database, [first])
  await claimSteps(database, [successor])
  await returnClaims(database, [first])
  assert.deepEqual(await claimAll([key]), ['unanswered'])
  assert.deepEqual(await claimSteps(database, [successor]), ['claimed'])
})

test('returning a claim changes no other step or try of the message', async () => {
  const key = await recordOne(database)
  const claim = createClaim(key)
  await claimSteps(database, [claim])
  await returnClaims(database, [
    { ...claim, step: 2 },
    { ...claim, try: 2 },
  ])
  assert.deepEqual(await claimAll([key]), ['unanswered'])
})

test('the token of an earlier step does not hold the next one', async () => {
  const key = await recordOne(database)
  const claim = createClaim(key)
  await claimSteps(database, [claim])
  await database.query(`update in_flight set step = 2, state = 'unclaimed' where msg_key = $1`, [key.msgKey])
  const next = { ...key, step: 2 }
  assert.deepEqual(await claimSteps(database, [claim, createClaim(next)]), ['stale', 'claimed'])
  assert.deepEqual(await claimAll([next]), ['unanswered'])
})

test('a claim is a HOT update', async () => {
  const claims = (await recordJobs(database, acceptedJobs(200))).map((key) => createClaim(key))
  const client = await database.connect()
  const count = async (): Promise<{ updates: number; hot: number }> => {
    const { rows } = await client.query<{ updates: number; hot: number }>(
      `select pg_stat_get_xact_tuples_updated(oid) as updates, pg_stat_get_xact_tuples_hot_updated(oid) as hot
         from pg_class where relname = 'in_flight'`,
    )
    return rows[0]!
  }
  await client.query('begin')
  const before = await count()
  await claimSteps(client, claims)
  const after = await count()
  await client.query('rollback')
  client.release()
  assert.equal(after.updates - before.updates, 200)
  const hot = after.hot - before.hot
  assert.ok(hot >= 190, `${hot} of 200 updates are HOT`)
})

test('a step that is returned during the claim of another owner is claimed by it', async () => {
  const [key, neighbour] = await recordJobs(database, acceptedJobs(2))
  const holder = createClaim(key!)
  await claimSteps(database, [holder])
  const next = [createClaim(key!), createClaim(neighbour!)]
  // Returned between the two statements of the claim.
  const between = {
    query: async (statement: QueryConfig) => {
      if (statement.name?.startsWith('read-step-states') === true) await returnClaims(database, [holder])
      return database.query(statement)
    },
  } as Queryable
  assert.deepEqual(await claimSteps(between, next), ['claimed', 'claimed'])
  assert.deepEqual(await claimAll([key!]), ['unanswered'])
})
