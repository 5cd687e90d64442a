/** A step that a rule stops reaches no queue: it waits under the rule's name, or fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import { openPlacing } from '../../../test/support/placing.ts'
import { allowEverything } from '../../../test/support/policy.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { createTopology } from '../../jobs/queues.ts'
import { upsertRoute } from '../../routes/queries.ts'
import type { Denial } from '../../trust/rule-group.ts'
import { place } from './place.ts'
import type { Placement } from './place.ts'

const { database } = await createTestDatabase()
await upsertRoute(database, testRoute('north'))
const placing = { ...(await openPlacing(database)), topology: createTopology('denied.') }
const job = routeJob(acceptedJob())
const placed = (denial: Denial | null): Placement =>
  place({ ...placing, policy: { ...allowEverything, judgeSubmission: () => denial } }, job)
const rule = 'sender-number-registered'

test('it is held until the time of the rule, without a route', () => {
  const until = Date.now() + 3_600_000
  const placement = placed({ verdict: 'hold', rule, until })
  assert.ok(placement.kind === 'hold')
  const { routeId, reason, rule: named, releaseAt } = placement.held
  assert.deepEqual([routeId, reason, named, releaseAt.getTime()], ['', 'rule', rule, until])
})

test('a time that has passed does not bring it back at once', () => {
  const placement = placed({ verdict: 'hold', rule, until: 0 })
  assert.ok(placement.kind === 'hold' && placement.held.releaseAt.getTime() > Date.now() + 500)
})

test('it fails with the cause of the rule', () => {
  const placement = placed({ verdict: 'fail', rule, cause: 'spam', text: 'x' })
  assert.deepEqual([placement.kind, placement.kind === 'failed' && placement.cause], ['failed', 'spam'])
  assert.equal(placed(null).kind, 'release')
})
