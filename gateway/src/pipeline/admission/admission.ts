import { lanes, type Lane } from '../../channels/lane.ts'
import { Problem, rateLimitExceeded } from '../../contract/problem.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every } from '../../platform/time/periodic.ts'
import { intakeTopic, readIntakeReport } from './intake-progress.ts'
import { LaneWindow, type WeightedAccount } from './lane-window.ts'
import { isUsedUp, LaneContent, type ReserveLimits } from './reserve.ts'

export interface AdmissionContext {
  readonly broker: Pick<Broker, 'listen' | 'depth' | 'publisher'>
  readonly topology: Pick<Topology, 'accepted'>
  /** Value of `acceptedBy` in messages of this process. */
  readonly processId: string
  readonly queuePrefix: string
  readonly reserve: ReserveLimits
  readonly metrics: Pick<Metrics, 'intakeQueueAge' | 'intakeQueueDepth' | 'sendsRefused'>
  readonly log: Log
}

export interface AdmissionController {
  /** Throws a `Problem` if a lane does not admit its messages of the request. */
  readonly admit: (account: WeightedAccount, messages: ReadonlyMap<Lane, number>) => void
  /** Counts a message that is published now. */
  readonly countAccepted: (account: WeightedAccount, lane: Lane, acceptedAt: number) => void
  stop(): Promise<void>
}

const readEveryMs = 500
/** PostgreSQL takes several seconds to recover. */
const reserveRetrySeconds = 15
/** The log reports the end of the limit after this time without a refusal. */
const calmMs = 10_000

/**
 * Decides whether the intake queue accepts the messages of a request. An account above its share of a lane is refused
 * while the lane is full (`lane-window.ts`). A queue that nothing drains is limited by the reserve
 * (`reserve.ts`). Workers report what they record (`intake-progress.ts`), so a decision waits for nothing.
 */
export function startAdmission(context: AdmissionContext): AdmissionController {
  const { broker, topology, processId, reserve, metrics, log } = context
  const windows = byLane(() => new LaneWindow())
  const contents = byLane(() => new LaneContent())
  const refusedAtMs = new Map<Lane, number>()

  const listening = broker.listen(intakeTopic(context.queuePrefix), (message) => {
    const report = readIntakeReport(message)
    const nowMs = performance.now()
    for (const lane of lanes) {
      const laneReport = report?.[lane]
      if (laneReport === undefined) continue
      contents[lane].setRecorded(laneReport.ageMs, nowMs)
      const ofProcess = laneReport.recorded[processId]
      if (ofProcess !== undefined)
        windows[lane].countRecorded(ofProcess.messages, ofProcess.acceptedUntil, laneReport.ageMs, nowMs)
    }
  })

  const reading = every(readEveryMs, 'reading the depth of the intake queue', log, async () => {
    await Promise.all(
      lanes.map(async (lane) => {
        const published = broker.publisher.totals(topology.accepted[lane])
        contents[lane].setDepth(await broker.depth(topology.accepted[lane]), published, performance.now())
      }),
    )
    const nowMs = performance.now()
    for (const lane of lanes) {
      windows[lane].forgetIdle(nowMs)
      metrics.intakeQueueAge.set({ lane }, contents[lane].ageMs(nowMs) / 1000)
      metrics.intakeQueueDepth.set({ lane }, Math.round(contents[lane].messages))
      if (nowMs - (refusedAtMs.get(lane) ?? nowMs) > calmMs) {
        refusedAtMs.delete(lane)
        log.info(
          { lane },
          'messages are again recorded as fast as they are accepted; no account is refused for its share',
        )
      }
    }
  })

  function requireReserve(lane: Lane, nowMs: number): void {
    if (!isUsedUp(lane, contents, reserve, nowMs)) return
    metrics.sendsRefused.inc({ reason: 'reserve', lane })
    throw new Problem(
      'A920',
      'Service busy: not accepted, because too many messages wait to be recorded, or none was recorded for too long; send the request again after the seconds in Retry-After',
      Math.ceil(reserveRetrySeconds * (1 + Math.random())),
    )
  }

  function requireShare(account: WeightedAccount, lane: Lane, messages: number, nowMs: number): void {
    const excess = windows[lane].findExcess(account, messages, nowMs)
    if (excess === null) return
    if (!refusedAtMs.has(lane))
      log.warn(
        { lane, unrecorded: windows[lane].unrecorded },
        'messages are accepted faster than they are recorded; accounts above their share get 429. Add workers or check PostgreSQL if this lasts',
      )
    refusedAtMs.set(lane, nowMs)
    metrics.sendsRefused.inc({ reason: 'share', lane })
    throw rateLimitExceeded(
      `the gateway is recording messages more slowly than the account sends them, and the account's share is ${Math.floor(excess.messagesPerSecond)} messages per second`,
      excess.retryAfterSeconds,
    )
  }

  return {
    admit(account, messages) {
      const nowMs = performance.now()
      for (const lane of messages.keys()) requireReserve(lane, nowMs)
      for (const [lane, count] of messages) requireShare(account, lane, count, nowMs)
    },
    countAccepted: (account, lane, acceptedAt) =>
      windows[lane].countAccepted(account, acceptedAt, performance.now()),
    async stop() {
      await Promise.all([listening.stop(), reading.stop()])
    },
  }
}

function byLane<T>(create: () => T): Readonly<Record<Lane, T>> {
  return { urgent: create(), normal: create(), bulk: create() }
}
