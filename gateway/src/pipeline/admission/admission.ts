/**
 * Admission: decides, before anything of a send is accepted, whether the first queue may take its messages. A lane that intake
 * drains more slowly than accounts fill it is divided among them by fair shares; a full reserve refuses every account. It
 * needs nothing but the broker, and reads it in the background: a request waits for nothing. Called by the send endpoints.
 *
 * Reports (`load-report`: `intake-progress` and `lane-progress` of workers, `demand` of API processes, with `peer-totals`) and
 * depths (`queue-size`) become the view of a lane (`lane-watch`), the view a limit (`lane-limit`), the limit this process's
 * part (`lane-admission`), and the part shares of accounts (`account-shares`, by `max-min`). `reserve` bounds the queue.
 */
import type { Account } from '../../accounts/account.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import { Problem, rateLimitExceeded } from '../../contract/problem.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Published } from '../../platform/broker/publish.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every } from '../../platform/periodic.ts'
import { LaneAdmission } from './lane-admission.ts'
import { loadTopic, readLoadReport, type DemandReport } from './load-report.ts'
import { sumOf } from './max-min.ts'
import { isUsedUp, type ReserveBounds, type ReserveUse } from './reserve.ts'

export interface AdmissionContext {
  readonly broker: Pick<Broker, 'broadcast' | 'listen' | 'depth' | 'publisher'>
  readonly topology: Pick<Topology, 'accepted'>
  /** The name of this process in its reports. */
  readonly processId: string
  readonly queuePrefix: string
  readonly reserve: ReserveBounds
  readonly metrics: Pick<Metrics, 'firstQueueAge' | 'firstQueueDepth' | 'sendsRefused'>
  readonly log: Log
}

export interface Admission {
  /** A request as a whole, by lane, at most 10 messages. Throws the problem to answer when one lane does not admit them. */
  readonly admit: (account: Pick<Account, 'id' | 'weight'>, messages: ReadonlyMap<Lane, number>) => void
  stop(): Promise<void>
}

/** How often limits are calculated, and depths are read while there is work. */
const tickMs = 200
/** How often depths are read when nothing was sent lately and nothing waits. */
const idleDepthMs = 2_000
/** Retry-After when the reserve is used up: the recovery of PostgreSQL takes longer than some seconds. */
const reserveRetrySeconds = 15

export function startAdmission(context: AdmissionContext): Admission {
  const { broker, topology, processId, reserve, metrics, log } = context
  const topic = loadTopic(context.queuePrefix)
  const byLane = Object.fromEntries(lanes.map((lane) => [lane, new LaneAdmission(lane, log)])) as Readonly<
    Record<Lane, LaneAdmission>
  >
  let depthsReadAtMs = -Infinity
  let reported = totalsByLane()
  const publishedByAll = (lane: Lane): Published =>
    byLane[lane].publishedByAll(broker.publisher.totals(topology.accepted[lane]))

  const listening = broker.listen(topic, (message) => {
    const report = readLoadReport(message)
    if (report === undefined) return
    const nowMs = performance.now()
    for (const lane of lanes) {
      if (report.kind === 'intake') {
        if (report.lanes[lane] !== undefined) byLane[lane].intake(report.process, report.lanes[lane], nowMs)
      } else if (report.process !== processId) {
        const { published, publishedBefore: before = published } = report
        byLane[lane].others(report.process, report.lanes[lane] ?? [], nowMs)
        if (published !== undefined && before !== undefined)
          byLane[lane].publishedByOther(report.process, published[lane], before[lane], nowMs)
      }
    }
  })

  const depths = every(tickMs, 'reading the depth of the first queue', log, async () => {
    const nowMs = performance.now()
    const isIdle = lanes.every((lane) => byLane[lane].isIdle(nowMs))
    if (isIdle && nowMs - depthsReadAtMs < idleDepthMs) return
    depthsReadAtMs = nowMs
    await Promise.all(
      lanes.map(async (lane) => {
        const queue = topology.accepted[lane]
        // Read first: what is published while the broker answers is counted twice rather than not at all.
        const published = publishedByAll(lane)
        byLane[lane].depth(await broker.depth(queue), published, performance.now())
      }),
    )
  })

  const limits = every(tickMs, 'calculating the limits of the first queue', log, () => {
    const nowMs = performance.now()
    const totals = totalsByLane()
    const demand: DemandReport = {
      ...{ v: 1, kind: 'demand', process: processId },
      ...{ lanes: {}, published: totals, publishedBefore: reported },
    }
    for (const lane of lanes) {
      const { view, demands } = byLane[lane].update(nowMs)
      metrics.firstQueueAge.set({ lane }, view.ageMs / 1000)
      metrics.firstQueueDepth.set({ lane }, Math.round(view.messages))
      if (sumOf(demands, 'demand') >= 1) demand.lanes[lane] = demands
    }
    const hasPublished = lanes.some((lane) => totals[lane].groups > reported[lane].groups)
    if (Object.keys(demand.lanes).length > 0 || hasPublished) broker.broadcast(topic, demand)
    reported = totals
    return Promise.resolve()
  })

  function totalsByLane(): Record<Lane, Published> {
    const totals = lanes.map((lane) => [lane, broker.publisher.totals(topology.accepted[lane])] as const)
    return Object.fromEntries(totals) as Record<Lane, Published>
  }

  function reserveUse(own: Lane, nowMs: number): ReserveUse {
    let [messages, bytes] = [0, 0]
    for (const lane of lanes) {
      const use = byLane[lane].use(publishedByAll(lane))
      messages += use.messages
      bytes += use.bytes
    }
    return { messages, bytes, stalledMs: byLane[own].stalledMs(nowMs) }
  }

  function requireReserve(lane: Lane, nowMs: number): void {
    if (!isUsedUp(lane, reserveUse(lane, nowMs), reserve)) return
    metrics.sendsRefused.inc({ reason: 'reserve', lane })
    throw new Problem(
      'A920',
      'Service busy: not accepted, because the gateway cannot record messages now and holds as many as it may keep; send the request again after the seconds in Retry-After',
      Math.ceil(reserveRetrySeconds * (1 + Math.random())),
    )
  }

  return {
    admit(account, messages) {
      const nowMs = performance.now()
      for (const lane of messages.keys()) requireReserve(lane, nowMs)
      const spent: Lane[] = []
      for (const [lane, count] of messages) {
        const over = byLane[lane].shares.admit(account, count, nowMs)
        if (over === null) {
          spent.push(lane)
          continue
        }
        for (const other of spent) byLane[other].shares.giveBack(account, messages.get(other)!)
        metrics.sendsRefused.inc({ reason: 'share', lane })
        throw rateLimitExceeded(
          `the gateway is recording messages more slowly than the account sends them, and the account's share is ${inWords(over.share)}`,
          over.retryAfterSeconds,
        )
      }
    },
    async stop() {
      await Promise.all([listening.stop(), depths.stop(), limits.stop()])
    },
  }
}

function inWords(share: number): string {
  return share >= 1 ? `${Math.floor(share)} messages a second` : `${Math.ceil(share * 60)} messages a minute`
}
