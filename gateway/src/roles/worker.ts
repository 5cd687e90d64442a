/** The worker role: intake, dispatch, settle, and the chores that keep the tables in shape. */
import { createTrafficTable } from '../accounts/traffic.ts'
import { startDispatch } from '../pipeline/dispatch/dispatch.ts'
import { createAttemptWriter } from '../pipeline/dispatch/attempt-writer.ts'
import { storeFromConfig } from '../files/from-config.ts'
import { removeExpired } from '../files/removal.ts'
import { removeExpiredForms } from '../forms/removal.ts'
import { startIntake } from '../pipeline/intake/intake.ts'
import { foldLedger } from '../records/ledger/queries.ts'
import { watchLedger } from '../records/ledger/watch.ts'
import { collectParked } from '../parked/collect.ts'
import { watchDatabase } from '../platform/database-watch.ts'
import { maintainPartitions } from '../records/partitions.ts'
import { every } from '../platform/periodic.ts'
import { retryTransient } from '../platform/retry.ts'
import { createReceiptSink } from '../pipeline/receipts/receipts.ts'
import { eraseClosed } from '../records/messages/erase.ts'
import { lanes } from '../channels/lane.ts'
import { createRouter } from '../routes/router.ts'
import { RouteStates } from '../routes/states.ts'
import { keepTally, RouteTally } from '../routes/tally.ts'
import { createRouteTable } from '../routes/table.ts'
import type { Runtime } from './runtime.ts'
import { createOutbox, startOutboxSweep } from '../pipeline/scheduling/outbox.ts'
import { startSettle } from '../pipeline/settle/settle.ts'
import { startDeadlines } from '../pipeline/settle/deadlines.ts'
import { startOrphanRetries } from '../pipeline/settle/orphan-retries.ts'
import { createTimeFormat } from '../contract/times.ts'
import { guardFromConfig, retrySettings } from '../webhooks/from-config.ts'
import { startPusher } from '../webhooks/pusher.ts'
import { foldUsage } from '../records/usage/queries.ts'
import type { Role } from './role.ts'

/** A question may take a while on a busy database; after this long the process is cut off from it. */
const maxSilentMs = 5_000

export async function startWorker(runtime: Runtime): Promise<Role> {
  const { config, log, metrics, database, broker, topology } = runtime
  const stopping = new AbortController()
  const { signal } = stopping
  const routes = createRouteTable(database, log)
  await retryTransient(() => maintainPartitions(database, config.retentionDays, new Date()), {
    what: 'reaching the database',
    log,
    signal,
  })
  const traffic = createTrafficTable(database, log)
  const states = new RouteStates(database, log)
  await Promise.all([
    routes.start(),
    traffic.start(),
    states.start(),
    retryTransient(() => broker.declare([topology.accepted, topology.receipts, topology.parked]), {
      what: 'reaching the broker',
      log,
      signal,
    }),
  ])
  // A released message needs its route's queue to exist before the route's owner has come.
  const declareLanes = (): Promise<void> =>
    broker.declare(routes.value.flatMap((route) => lanes.map((lane) => topology.lane(route.id, lane))))
  await declareLanes()
  routes.onChange(() => {
    declareLanes().catch((error: unknown) =>
      log.warn({ err: error as Error }, 'cannot declare the queues of the routes'),
    )
  })

  const store = await storeFromConfig(config)
  const placing = { router: createRouter(routes, states), states, traffic }
  const watch = watchDatabase(config.databaseUrl, log)
  const databaseThere = (): boolean => watch.silentMs < maxSilentMs
  const dispatch = startDispatch(routes, {
    isEligible: databaseThere,
    ...placing,
    broker,
    topology,
    database,
    attemptWriter: createAttemptWriter(database, metrics, log),
    onReceipt: createReceiptSink(broker.publisher, topology.receipts, metrics),
    metrics,
    log,
  })
  const outbox = createOutbox({
    ...placing,
    database,
    publisher: broker.publisher,
    topology,
    routes,
    stepTtlSeconds: config.stepTtlSeconds,
  })
  const tally = new RouteTally()
  const settle = startSettle({ tally, outbox, broker, topology, database, metrics, log, signal })
  const intake = startIntake({
    ...placing,
    broker,
    topology,
    database,
    stepTtlSeconds: config.stepTtlSeconds,
    metrics,
    log,
    signal,
  })
  const chores = [
    startOutboxSweep(outbox, log),
    startDeadlines({ database, routes, outbox, metrics, log }),
    startOrphanRetries({
      tally,
      outbox,
      broker,
      topology,
      database,
      metrics,
      retentionDays: config.retentionDays,
      log,
    }),
    every(3_600_000, 'keeping partitions', log, () =>
      maintainPartitions(database, config.retentionDays, new Date()),
    ),
    every(3_600_000, 'removing expired files and forms', log, async () => {
      await removeExpired(database, store, new Date())
      await removeExpiredForms(database, new Date())
    }),
    every(30_000, 'folding the ledger', log, () => foldLedger(database)),
    every(10_000, 'erasing texts and recipients', log, async () => {
      await eraseClosed(database, new Date())
    }),
    every(30_000, 'folding the usage', log, () => foldUsage(database, config.timeZone)),
    keepTally(tally, database, log),
    watchLedger({ database, metrics, log }),
    startPusher({
      database,
      guard: guardFromConfig(config),
      formatTime: createTimeFormat(config.timeZone),
      ...retrySettings(config),
      metrics,
      log,
    }),
    collectParked({ broker, topology, database, metrics, log }),
  ]
  log.info({}, 'worker started')
  return {
    readiness: () => ({
      broker: broker.canPublish && broker.canConsume,
      database: databaseThere(),
      intake: intake.active,
      settle: settle.active,
      routes: routes.loaded && dispatch.healthy,
    }),
    async drain() {
      routes.stop()
      traffic.stop()
      await states.stop()
      stopping.abort(new Error('the worker is stopping'))
      await Promise.all([intake.stop(), dispatch.stop()])
      await settle.stop()
      await Promise.all(chores.map((chore) => chore.stop()))
      await watch.close()
    },
  }
}
