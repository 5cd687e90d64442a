import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { allowEverything } from '../../../test/support/policy.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { createTopology } from '../../jobs/queues.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import type { RuleDecision } from '../../trust/rule-group.ts'
import { decidePlacement, type Placement } from './place.ts'

const { database } = await createTestDatabase()
await upsertRoute(database, testRoute('north'))
const placing = { ...(await openTestPlacement(database)), topology: createTopology('denied.') }
const job = routeJob(acceptedJob())
const placed = (denial: RuleDecision | null): Placement =>
  decidePlacement({ ...placing, policy: { ...allowEverything, checkSubmission: () => denial } }, job)
const rule = 'sender-number-registered'

test('a held step waits until the time of the rule, without a route', () => {
  const until = Date.now() + 3_600_000
  const placement = placed({ verdict: 'hold', rule, until })
  assert.ok(placement.kind === 'hold')
  const { routeId, reason, rule: named, releaseAt } = placement.held
  assert.deepEqual([routeId, reason, named, releaseAt.getTime()], ['', 'rule', rule, until])
})

test('a past time does not make the step due immediately', () => {
  const placement = placed({ verdict: 'hold', rule, until: 0 })
  assert.ok(placement.kind === 'hold' && placement.held.releaseAt.getTime() > Date.now() + 500)
})

test('a failed step has the cause of the rule', () => {
  const placement = placed({ verdict: 'fail', rule, cause: 'spam', text: 'x' })
  assert.deepEqual([placement.kind, placement.kind === 'failed' && placement.cause], ['failed', 'spam'])
  assert.equal(placed(null).kind, 'release')
})
