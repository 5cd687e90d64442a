/**
 * Plans of the hot statements. A plan is created once per connection, perhaps while the tables are empty, and
 * still used when they are full: no plan must read a table other than by the given keys.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { acceptedJob, attempt, receiptFor, routeId } from '../../test/support/fixtures.ts'
import { countBacklog } from './batches/feeding.ts'
import { claimSteps, createClaim, pinClaims, returnClaims } from './messages/claim.ts'
import { matchScope } from '../../test/support/pipeline/settle-scope.ts'
import { endSteps } from '../pipeline/settle/end-steps.ts'
import { insertAttempts, mergeAttempts } from './attempts/attempts.ts'
import { claimExpired } from './messages/expire.ts'
import { findLastSteps } from './messages/last-steps.ts'
import { matchById, matchUnknown } from './attempts/match.ts'
import { recordResults } from './attempts/results.ts'
import { findUnresolved } from './attempts/unresolved.ts'
import { findDueAccounts, findWaitingAccountIds, findWaitingLanes } from './waiting/find-waiting.ts'
import { firstPage, readDuePage, readDueSteps, readWaiting } from './waiting/read-waiting.ts'
import { wakeBatchSteps } from './waiting/wake-batch.ts'
import { holdSteps, removeEnded, removeEndingSoon, removeWaiting } from './waiting/write-waiting.ts'

const { database } = await createTestDatabase()
/** Statements that search due steps without a route. */
const byTime = new Set(['find-waiting-lanes', 'find-due-accounts'])
const hot = ['in_flight', 'waiting', 'messages', 'attempts']

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}

function* nodesOf(plan: Plan): Generator<Plan> {
  yield plan
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner)
}

test('no plan made while the tables were empty scans a table', async () => {
  for (const table of hot) await database.query(`vacuum analyze ${table}`)
  const client = await database.connect()
  try {
    const key = { msgKey: acceptedJob().msgKey, step: 1, try: 1 }
    const row = attempt(key)
    const receipt = receiptFor(row)
    const matched = { ...key, part: 1, parts: 1, submittedAt: new Date() }
    const now = new Date()
    await client.query('begin')
    await claimSteps(client, [createClaim(key)])
    await returnClaims(client, [createClaim(key)])
    await pinClaims(client, [createClaim(key)])
    await findLastSteps(client, [key])
    await insertAttempts(client, [row])
    await mergeAttempts(client, [row])
    await matchById(client, [receipt, { ...receipt, carrierId: 'another' }], matchScope('20200101'))
    await matchUnknown(client, [receipt], matchScope('20200101'))
    await recordResults(client, [{ matched, receipt, count: 1 }])
    await endSteps(client, [{ ...key, cause: 'failed', parts: 1, sentAt: now, at: now }], 60)
    await holdSteps(client, [
      {
        ...key,
        accountId: 1,
        routeId,
        lane: 'normal',
        parts: 1,
        tries: 0,
        releaseAt: now,
        reason: 'backlog',
      },
    ])
    await findWaitingLanes(client)
    await findDueAccounts(client, '', 'normal', now)
    await findWaitingAccountIds(client, routeId, 'normal', now)
    await readDueSteps(client, routeId, 'normal', new Map([[1, 1]]), now)
    await removeEndingSoon(client, routeId, 'normal', new Map([[1, now]]), { now, perAccount: 10 })
    await readDuePage(client, routeId, 'normal', new Map([[1, firstPage]]), { perAccount: 1, now })
    await readWaiting(client, [key.msgKey])
    await countBacklog(client, 1, 10)
    await wakeBatchSteps(client, 1, 'resumed')
    await wakeBatchSteps(client, 1, 'cancelled')
    await removeWaiting(client, [key])
    await removeEnded(client, [key])
    await claimExpired(client, now, 10)
    await findUnresolved(client, {
      keys: [{ fromKey: '2026', beforeKey: '2027' }],
      due: [{ from: now, before: now, isLast: true }],
      routeIds: { response: [routeId], receipt: [routeId] },
      limit: 10,
    })
    await client.query('rollback')

    const prepared = await client.query<{ name: string; count: number }>(
      'select name, cardinality(parameter_types) as count from pg_prepared_statements',
    )
    assert.ok(prepared.rows.length >= 12, `${prepared.rows.length} statements were seen`)
    const usedByTime: string[] = []
    for (const { name, count } of prepared.rows) {
      const nulls = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`
      const explained = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        `explain (format json) execute "${name}"${nulls}`,
      )
      for (const node of nodesOf(explained.rows[0]!['QUERY PLAN'][0]!.Plan)) {
        const table = node['Relation Name']
        if (table === undefined || !/Scan/.test(node['Node Type'])) continue
        if (!hot.some((known) => table.startsWith(known))) continue
        assert.ok(node['Index Cond'] !== undefined, `${name}: ${node['Node Type']} of ${table} without a key`)
        if (byTime.has(name)) usedByTime.push(node['Index Name']!)
      }
    }
    // Steps without a route are found by `waiting_unrouted`: any other index would read all steps that are scheduled for
    // later. `waiting_due` finds the lanes of routes, in two scans of one statement.
    const others = usedByTime.filter((index) => index !== 'waiting_unrouted')
    assert.deepEqual([usedByTime.length, others], [4, ['waiting_due', 'waiting_due']])
  } finally {
    client.release()
  }
})
