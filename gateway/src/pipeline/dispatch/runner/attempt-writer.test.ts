import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { acceptedJobs, attempt, recordJobs, recordOne } from '../../../../test/support/fixtures.ts'
import { createProxy } from '../../../../test/support/engines/proxy.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { isSettled, waitFor } from '../../../../test/support/wait.ts'
import type { StepKey } from '../../../jobs/step-key.ts'
import { createClaim } from '../../../records/messages/claim.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { ProcessStopping } from '../../../platform/database/retry.ts'
import { createAttemptWriter } from './attempt-writer.ts'

const { database, url } = await createTestDatabase()
const attemptWriter = createAttemptWriter(database, testMetrics(), silentLog)
const { signal } = new AbortController()
const unknown = { outcome: 'unknown', carrierId: null, code: 'interrupted' } as const

async function readOutcome(msgKey: string): Promise<string | undefined> {
  const found = await database.query<{ outcome: string }>('select outcome from attempts where msg_key = $1', [
    msgKey,
  ])
  return found.rows[0]?.outcome
}

test('one of two copies of every claim wins in a burst', async () => {
  const keys = await recordJobs(database, acceptedJobs(500))
  const results = await Promise.all(
    [...keys, ...keys].map((key) => attemptWriter.claim(createClaim(key), signal)),
  )
  keys.forEach((_, index) => {
    const copies = [results[index], results[index + 500]]
    assert.equal(copies.filter((result) => result === 'claimed').length, 1)
  })
})

for (const [position, rows] of [
  ['before', [{}, unknown]],
  ['after', [unknown, {}]],
] as const) {
  test(`an acceptance that is written together with unknown, ${position} it, is kept`, async () => {
    const key = await recordOne(database)
    await Promise.all(rows.map((row) => attemptWriter.record([attempt(key, row)], signal)))
    assert.equal(await readOutcome(key.msgKey), 'accepted')
  })
}

test('waits while PostgreSQL is unavailable, and stops waiting when its signal aborts', async () => {
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 2 })
  addCleanup(() => proxied.end())
  const disconnected = createAttemptWriter(proxied, testMetrics(), silentLog)
  const [first, second] = await recordJobs(database, acceptedJobs(2))
  await disconnected.claim(createClaim(first!), signal)
  proxy.block()
  const recording = disconnected.record([attempt(first!)], signal)
  const stopping = new AbortController()
  const claiming = disconnected.claim(createClaim(second!), stopping.signal)
  assert.equal(await isSettled(Promise.race([recording, claiming])), false)
  stopping.abort()
  await assert.rejects(claiming, ProcessStopping)
  assert.equal(await readOutcome(first!.msgKey), undefined)
  proxy.unblock()
  await recording
  assert.equal(await readOutcome(first!.msgKey), 'accepted')
})

test('a claim that is committed before its response is lost is repeated and stays claimed', async () => {
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 2 })
  addCleanup(() => proxied.end())
  const disconnected = createAttemptWriter(proxied, testMetrics(), silentLog)
  const [known, ...keys] = await recordJobs(database, acceptedJobs(21))
  await disconnected.claim(createClaim(known!), signal)
  proxy.mute()
  const claiming = Promise.all(keys.map((key) => disconnected.claim(createClaim(key), signal)))
  await waitFor('the commit', async () => (await submitting(keys)) === 20)
  proxy.cut()
  proxy.unmute()
  assert.deepEqual(new Set(await claiming), new Set(['claimed']))
  // The process that holds the claims is alive, so another one must not submit the steps.
  const others = await Promise.all(keys.map((key) => attemptWriter.claim(createClaim(key), signal)))
  assert.deepEqual(new Set(others), new Set(['unanswered']))
})

async function submitting(keys: readonly StepKey[]): Promise<number> {
  const found = await database.query(`select from in_flight where state = 'claimed' and msg_key = any($1)`, [
    keys.map(({ msgKey }) => msgKey),
  ])
  return found.rowCount ?? 0
}
