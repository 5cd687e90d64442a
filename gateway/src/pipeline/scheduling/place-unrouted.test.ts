/**
 * A step that no route serves fails, but not by routes and accounts that were read before its message was accepted: it waits
 * until they have been read again.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, createAccount, routeJob } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { createTopology } from '../../jobs/queues.ts'
import { clock } from '../../platform/time/clock.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { createRouter } from '../../carriers/routes/router.ts'
import { setRouteEnabled, upsertRoute } from '../../carriers/routes/queries.ts'
import { RouteStates } from '../../carriers/routes/states.ts'
import { changeAccountTrust } from '../../trust/accounts.ts'
import { createTrust } from '../../trust/policy.ts'
import { decidePlacement, type Placement } from './place.ts'

const { database } = await createTestDatabase()
const accountId = await createAccount(database, 'shop-1', {})
const placing = await openTestPlacement(database)
const { routes } = placing
const trust = createTrust(database, {}, silentLog, testMetrics(), openEncryption({}), { routes })
const context = {
  ...placing,
  topology: createTopology('unrouted.'),
  policy: trust,
  router: createRouter(routes, new RouteStates(database, silentLog), trust.isRouteAllowed),
}
const refresh = (): Promise<unknown> => Promise.all([routes.refresh(), trust.cache.refresh()])
await refresh()

const isLast = true
/** Creates the job of a message with one step. */
const newJob = (dueAt = Date.now() + 60_000) => routeJob(acceptedJob({ accountId }), { dueAt })

function assertWaits(placement: Placement): void {
  assert.ok(placement.kind === 'hold', placement.kind)
  const { routeId, reason, releaseAt } = placement.held
  assert.deepEqual([routeId, reason], ['', 'owed'])
  const afterMs = releaseAt.getTime() - clock.now()
  assert.ok(afterMs > 0 && afterMs <= 2_000, `${afterMs} ms`)
}

/** Places the step again like the sweep, after the next reading. */
async function placedAgain(job: ReturnType<typeof newJob>): Promise<Placement> {
  let placement: Placement | undefined
  await waitFor('a reading after the message was accepted', async () => {
    await refresh()
    placement = decidePlacement(context, job, { isLast })
    return placement.kind !== 'hold'
  })
  return placement!
}

test('a message that no route serves fails by what is read after it was accepted', async () => {
  const job = newJob()
  assertWaits(decidePlacement(context, job, { isLast }))
  const placement = await placedAgain(job)
  assert.ok(placement.kind === 'failed' && placement.cause === 'no-route')
})

test('a message that is sent just after its route was added, or enabled, takes the route', async () => {
  await upsertRoute(database, testRoute('north'))
  const job = newJob()
  assertWaits(decidePlacement(context, job, { isLast }))
  const placement = await placedAgain(job)
  assert.ok(placement.kind === 'release' && placement.routeId === 'north')

  await setRouteEnabled(database, 'north', false)
  await refresh()
  await setRouteEnabled(database, 'north', true)
  const next = newJob()
  assertWaits(decidePlacement(context, next, { isLast }))
  assert.equal((await placedAgain(next)).kind, 'release')
})

test('a message of an account that has just left the sandbox takes a route to a carrier', async () => {
  await changeAccountTrust(database, accountId, { sandbox: true })
  await refresh()
  await changeAccountTrust(database, accountId, { sandbox: false })
  const job = newJob()
  assertWaits(decidePlacement(context, job, { isLast }))
  const placement = await placedAgain(job)
  assert.ok(placement.kind === 'release' && placement.routeId === 'north')
})

test('a step with a successor, or an early deadline, fails immediately', async () => {
  await changeAccountTrust(database, accountId, { sandbox: true })
  await refresh()
  for (const placement of [
    decidePlacement(context, newJob(Date.now() + 1_000), { isLast }),
    decidePlacement(context, newJob(), { isLast: false }),
    decidePlacement(context, newJob()),
  ])
    assert.ok(placement.kind === 'failed' && placement.cause === 'no-route')
})
