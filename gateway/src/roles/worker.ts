/**
 * The worker role: runs the pipeline stages after accept and the periodic maintenance of the tables. Any
 * number of workers share the queues; each route is owned by one of them at a time. A worker consumes nothing
 * before the tables it needs are loaded; until then it is not ready.
 */
import {
  createSchedulingSettingsTable,
  defaultSchedulingSettings,
} from '../identity/accounts/scheduling-settings.ts'
import { createTimeFormat } from '../contract/times.ts'
import { openConfiguredStore } from '../records/files/from-config.ts'
import { createFileLookup } from '../records/files/lookup.ts'
import { createOpenFile } from '../records/files/open-file.ts'
import { fixedQueues } from '../jobs/queues.ts'
import { createSendToSettle } from '../jobs/send-to-settle.ts'
import { startParkedCollector } from '../records/parked/collect.ts'
import { createAttemptWriter } from '../pipeline/dispatch/runner/attempt-writer.ts'
import { startBatches } from '../pipeline/batches/batches.ts'
import { createJudge } from '../pipeline/batches/judge.ts'
import { startDispatch, type DispatchOptions } from '../pipeline/dispatch/dispatch.ts'
import { createCheckSteps } from '../pipeline/accept/check-steps.ts'
import { IntakeProgress, intakeTopic } from '../pipeline/admission/intake-progress.ts'
import { startIntake } from '../pipeline/intake/intake.ts'
import { createReceiptSink } from '../pipeline/receipts/receipts.ts'
import { startReplies } from '../pipeline/receipts/replies.ts'
import { createReplySink } from '../pipeline/receipts/reply-sink.ts'
import { startStoringOptOuts } from '../pipeline/receipts/opt-outs.ts'
import { startOutboxSweep } from '../pipeline/scheduling/outbox-sweep.ts'
import { startLostSteps } from '../pipeline/scheduling/lost-steps.ts'
import { createOutbox } from '../pipeline/scheduling/outbox.ts'
import { startBlockedAccounts } from '../pipeline/scheduling/blocked-accounts.ts'
import { WaitingWatch } from '../pipeline/scheduling/waiting-watch.ts'
import { startDeadlines } from '../pipeline/settle/deadlines.ts'
import { startOrphanRetries } from '../pipeline/settle/orphan-retries.ts'
import { startSettle } from '../pipeline/settle/settle.ts'
import { clock } from '../platform/time/clock.ts'
import { consumeWhile } from '../platform/broker/consume-while.ts'
import { retryTransient } from '../platform/database/retry.ts'
import { GateHorizon } from '../records/ledger/gate.ts'
import { maintainPartitions } from '../records/partitions.ts'
import { createRouter } from '../carriers/routes/router.ts'
import { RouteStates } from '../carriers/routes/states.ts'
import { createRouteTable } from '../carriers/routes/table.ts'
import { startResultCounter, RouteResultCounter } from '../carriers/routes/result-counter.ts'
import { checkTrustAtStart } from '../trust/start.ts'
import { createTrust } from '../trust/policy.ts'
import { createKeywordReader } from '../trust/suppression/choice.ts'
import { guardFromConfig, retrySettings } from '../edge/webhooks/from-config.ts'
import { startPusher } from '../edge/webhooks/push/pusher.ts'
import { startMaintenance } from './maintenance.ts'
import { openStageDatabases } from './stage-databases.ts'
import type { Role } from './role.ts'
import type { MemberRuntime } from './runtime.ts'

/**
 * After an outage of PostgreSQL, carriers are reconnected and send the receipts that they hold within this time;
 * until then no deadline ends a step.
 */
const reconnectMs = 8_000

/** Tests set the options of dispatch. */
export async function startWorker(
  runtime: MemberRuntime,
  dispatchOptions: DispatchOptions = {},
): Promise<Role> {
  const { config, log, metrics, trace, database, broker, topology, encryption } = runtime
  const { publisher } = broker
  const { retentionDays, stepTtlSeconds } = config
  const services = { broker, topology, database, metrics, trace, log }
  const stopping = new AbortController()
  const { signal } = stopping

  // Past days are dropped later, by the worker that has this duty.
  const canDrop = (): Promise<boolean> => Promise.resolve(false)
  await retryTransient(() => maintainPartitions(database, retentionDays, clock.date(), { canDrop }), {
    what: 'connecting to PostgreSQL',
    log,
    signal,
  })
  const membership = runtime.join()
  const routes = createRouteTable(database, log, encryption)
  const schedulingSettings = createSchedulingSettingsTable(database, log)
  const trust = createTrust(database, config, log, metrics, encryption, {
    limiter: runtime.limiter,
    routes,
    respondingMs: () => membership.respondingMs,
  })
  const states = new RouteStates(database, log)
  await Promise.all([
    routes.startLoaded(signal),
    schedulingSettings.startLoaded(signal),
    trust.cache.startLoaded(signal),
    retryTransient(() => states.start(), { what: 'reading the states of routes', log, signal }),
    // Declare the dispatch queues as well: steps may be released to a partition before it has an owner.
    retryTransient(() => broker.declare(fixedQueues(topology)), {
      what: 'connecting to the broker',
      log,
      signal,
    }),
  ])
  checkTrustAtStart(trust.cache.value, config, log)
  const stageDatabases = openStageDatabases(config.databaseUrl, log, metrics)
  const store = await openConfiguredStore(config)
  const recording = consumeWhile(broker, { isEligible: () => membership.renewed, log })
  const placing = {
    router: createRouter(routes, states, trust.isRouteAllowed),
    states,
    schedulingSettings,
    getBlock: trust.getBlock,
    publisher,
    policy: trust,
  }
  const settling = { ...services, database: stageDatabases.settle, routes }
  const outbox = createOutbox({ ...settling, ...placing, publisher, stepTtlSeconds })
  const resultCounter = new RouteResultCounter()
  const waitingWatch = new WaitingWatch(database, log)
  const progress = new IntakeProgress(broker, intakeTopic(config.queuePrefix))
  const horizon = new GateHorizon(services)
  const files = createFileLookup(database)

  // The stages, in the order of the pipeline.
  const intake = startIntake({
    ...services,
    ...placing,
    broker: recording,
    database: stageDatabases.intake,
    stepTtlSeconds,
    retentionDays,
    progress: {
      countRecorded(lane, jobs) {
        progress.countRecorded(lane, jobs)
        horizon.countRecorded(lane, jobs)
      },
    },
  })
  // Started before dispatch, which passes jobs to it while the broker accepts nothing.
  const settle = startSettle({ ...settling, broker: recording, resultCounter, outbox, retentionDays, signal })
  membership.shareOldestReceipt(() => settle.watermark.oldestHeldAt)
  const sendToSettle = createSendToSettle({ publisher, topology, settleNow: settle.settleNow })
  const onReply = createReplySink({
    publisher,
    topology,
    database,
    trust,
    metrics,
    cell: config.cell,
    readKeyword: createKeywordReader(config),
    openBlindIndex: () => encryption.blindIndex(database),
  })
  const dispatch = startDispatch(
    routes,
    {
      ...services,
      ...placing,
      waitingWatch,
      membership,
      attemptWriter: createAttemptWriter(database, metrics, log),
      sendToSettle,
      onReceipt: createReceiptSink(sendToSettle, metrics),
      onReply: ({ routeId, accounts, protocol }, reply, login) =>
        onReply({ id: routeId, accounts, protocol }, reply, login),
      openFile: createOpenFile({ lookup: files, store, publicFileUrl: config.publicFileUrl }),
    },
    dispatchOptions,
  )

  const batches = startBatches({
    ...services,
    ...placing,
    judge: createJudge({
      checkSteps: createCheckSteps({ policy: trust, routes, files, publicFileUrl: config.publicFileUrl }),
      usesSmartEncoding: (accountId) =>
        (schedulingSettings.value.get(accountId) ?? defaultSchedulingSettings).smartEncoding,
    }),
    rulesAgeMs: () => trust.cache.ageMs,
    counting: trust,
    listStoppedBatches: trust.listStoppedBatches,
    cell: config.cell,
    timeZone: config.timeZone,
    stepTtlSeconds,
  })

  const periodics = [
    // Work on steps and receipts that depends on time.
    startOutboxSweep({
      outbox,
      waitingWatch,
      membership,
      log,
      failingMs: () => Math.max(routes.failingMs, trust.cache.failingMs),
    }),
    startDeadlines({
      ...settling,
      outbox,
      // Heartbeats contain the receipts of other workers, so without them the watermark is unknown.
      settledThrough: async () => {
        if (!membership.renewed) return null
        const settledThrough = await settle.watermark.read(membership.othersSettledThrough)
        return membership.respondingMs >= reconnectMs ? settledThrough : null
      },
    }),
    startBlockedAccounts({ ...services, membership, stopped: trust.list }),
    startOrphanRetries({ ...settling, resultCounter, outbox, retentionDays }),
    startLostSteps(services),
    // Output of the pipeline.
    startPusher({
      hostPerSecond: config.webhookHostPerSecond,
      database,
      membership,
      guard: guardFromConfig(config),
      cipher: encryption,
      formatTime: createTimeFormat(config.timeZone),
      ...retrySettings(config),
      metrics,
      trace,
      log,
    }),
    startParkedCollector({ ...services, broker: recording }),
    startStoringOptOuts({ ...services, broker: recording }),
    startReplies({ database, log, trust, routes, retentionDays }),
    startResultCounter(resultCounter, database, log),
    startMaintenance({ ...runtime, database: stageDatabases.maintenance }, membership, { store, horizon }),
  ]
  log.info({}, 'worker started')
  return {
    readiness: () => ({
      // Depends on consuming, not publishing: while the broker blocks publishers, workers empty its queues
      // and must not be replaced.
      broker: broker.canConsume,
      database: membership.renewed,
      intake: intake.active,
      settle: settle.active,
      routes: routes.loaded && dispatch.healthy,
    }),
    async drain() {
      // Batches count messages for caps, so they stop before `trust`, which gives back the leases of caps.
      await batches.stop()
      routes.stop()
      schedulingSettings.stop()
      await trust.stop()
      await states.stop()
      stopping.abort(new Error('the worker is stopping'))
      await Promise.all([intake.stop(), settle.stop()])
      await dispatch.stop()
      await Promise.all(periodics.map((periodic) => periodic.stop()))
      await stageDatabases.close()
    },
  }
}
