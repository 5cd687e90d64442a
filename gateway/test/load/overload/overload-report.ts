/**
 * Compares the figures of the overload run with their limits, and formats them for the terminal and
 * docs/evidence/overload.md.
 */
import { destinationsPerRequest } from '../fairness/burst-load.ts'
import { describeMeasurement } from '../../support/measure/measurement.ts'
import {
  memoryLimits,
  checkMemory,
  memoryFigures,
  memoryRows,
  type MemorySamples,
} from './overload-memory.ts'

export interface WaitingSample {
  readonly second: number
  /** Messages accepted so far. */
  readonly accepted: number
  /** Messages recorded so far. */
  readonly recorded: number
}

export interface OverloadRun {
  readonly seconds: number
  readonly outstanding: number
  readonly blockedSeconds: number
  /** Second of the run at which the broker was blocked. */
  readonly blockedFrom: number
  readonly blockedUntil: number
  /** Number of accepted messages. */
  readonly accepted: number
  readonly submitted: number
  /** Number of messages submitted until the end of the load: the capacity of the pipeline. */
  readonly carried: number
  readonly stepTtlSeconds: number
  readonly begun: number
  readonly refusedRequests: number
  readonly retryAfter: ReadonlyMap<number, number>
  readonly failures: readonly string[]
  readonly lost: number
  readonly unaccepted: number
  readonly unknown: number
  readonly doubled: number
  readonly gap: number
  readonly settledWhileBlocked: number
  readonly acceptedWhileBlocked: number
  readonly resumedAfterSeconds: number | undefined
  readonly samples: MemorySamples
  readonly apis: number
  /** Pairs of seconds and age of the intake queue in seconds. */
  readonly ages: readonly (readonly [number, number])[]
  readonly waiting: readonly WaitingSample[]
  readonly rates: readonly (readonly [number, number])[]
}

/** The account retries too early, so that it offers several times the capacity. */
export const waitFraction = 0.1
const minOffered = 3
/** Maximum seconds until sends are accepted again after the block, and the time in which the intake queue may drain. */
export const recoverySeconds = 30

/** Minimum window of an API process in messages (docs/operations/overload.md). */
const minWindow = 1_000
/**
 * Admission permits a window per API process: what intake records of its messages in a second, at least the minimum. As
 * much again is allowed for what is admitted until a report of intake arrives, and for the messages of the last batches.
 */
const allowedWindows = 2

export function checkOverload(run: OverloadRun): string[] {
  const findings = [...run.failures]
  const mustHold = (holds: boolean, finding: string): void => {
    if (!holds) findings.push(finding)
  }
  mustHold(run.accepted > 0, 'nothing was accepted')
  mustHold(run.refusedRequests > 0, 'no request was rejected; the load was no overload')
  const offered = offeredPerCarried(run)
  mustHold(
    offered >= minOffered,
    `only ${offered.toFixed(1)} messages were offered for each one carried; at least ${minOffered} make an overload`,
  )
  mustHold(run.lost === 0, `${run.lost} accepted messages did not end in exactly one report`)
  mustHold(
    run.unaccepted <= run.unknown,
    `${run.unaccepted} messages that were not accepted were sent; ${run.unknown} responses announced this possibility`,
  )
  mustHold(run.doubled === 0, `${run.doubled} messages reached the carrier twice`)
  mustHold(run.gap === 0, `the ledger has a gap of ${run.gap}`)
  mustHold(run.settledWhileBlocked > 0, 'no receipt was settled while the broker blocked publishers')
  mustHold(
    run.resumedAfterSeconds !== undefined,
    `sends were not accepted within ${recoverySeconds} s after the disk was freed`,
  )
  const waiting = maxWaitingOf(run)
  const allowed = allowedWaiting(run)
  mustHold(
    waiting <= allowed,
    `${count(waiting)} accepted messages waited to be recorded; limit ${count(allowed)}, ${allowedWindows} times what admission permits`,
  )
  findings.push(...checkMemory(run.samples, run.seconds))
  return findings
}

/** Reports whether the broker was not blocked at this second and had time to drain the queue. */
function isCounted(second: number, { blockedFrom, blockedUntil }: OverloadRun): boolean {
  return second < blockedFrom || second > blockedUntil + recoverySeconds
}

function maxAgeOf(run: OverloadRun): number {
  return Math.max(0, ...run.ages.filter(([at]) => isCounted(at, run)).map(([, age]) => age))
}

/**
 * The age of the queue is the messages that wait, divided by those that are recorded per second. The second figure is
 * that of the machine, so only the first one is judged.
 */
function maxWaitingOf(run: OverloadRun): number {
  const counted = run.waiting.filter(({ second }) => isCounted(second, run))
  return Math.max(0, ...counted.map(({ accepted, recorded }) => accepted - recorded))
}

function allowedWaiting({ apis, waiting }: OverloadRun): number {
  const perSecond = waiting.slice(1).map(({ second, recorded }, index) => {
    const before = waiting[index]!
    return (recorded - before.recorded) / Math.max(1, second - before.second)
  })
  return Math.round(allowedWindows * Math.max(apis * minWindow, ...perSecond))
}

/** Returns the offered messages, including retries, per message that reached the carrier in the same time. */
function offeredPerCarried({ begun, refusedRequests, carried }: OverloadRun): number {
  return ((begun + refusedRequests) * destinationsPerRequest) / Math.max(1, carried)
}

/** Formats the figures as one line of JSON. */
export function overloadJson(run: OverloadRun, findings: readonly string[]): string {
  return JSON.stringify({
    seconds: run.seconds,
    blockedSeconds: run.blockedSeconds,
    accepted: run.accepted,
    submitted: run.submitted,
    carried: run.carried,
    offeredPerCarried: Math.round(offeredPerCarried(run) * 100) / 100,
    refusedRequests: run.refusedRequests,
    lost: run.lost,
    doubled: run.doubled,
    gap: run.gap,
    unaccepted: run.unaccepted,
    unknown: run.unknown,
    settledWhileBlocked: run.settledWhileBlocked,
    acceptedWhileBlocked: run.acceptedWhileBlocked,
    resumedAfterSeconds: run.resumedAfterSeconds,
    maxFirstQueueAgeSeconds: maxAgeOf(run),
    maxWaiting: maxWaitingOf(run),
    allowedWaiting: allowedWaiting(run),
    retryAfterSeconds: Object.fromEntries(run.retryAfter),
    memory: memoryFigures(run.samples),
    findings,
  })
}

export function overloadTable(run: OverloadRun): string {
  return memoryRows(run.samples)
    .map((row) => row.map((cell) => cell.padStart(18)).join(''))
    .join('\n')
}

function figures(run: OverloadRun): [string, string, string][] {
  const waits = [...run.retryAfter.keys()]
  const range = waits.length === 0 ? '' : `, ${Math.min(...waits)} to ${Math.max(...waits)} s`
  const resumed = run.resumedAfterSeconds
  return [
    ['messages accepted', count(run.accepted), ''],
    ['submitted; the others expired and were reported as expired', count(run.submitted), ''],
    ['messages offered for each one carried', offeredPerCarried(run).toFixed(1), `≥ ${minOffered}`],
    ['requests rejected, and their `Retry-After`', `${count(run.refusedRequests)}${range}`, '> 0'],
    ['accepted messages without exactly one report', count(run.lost), '0'],
    ['messages that reached the carrier twice', count(run.doubled), '0'],
    ['ledger gap', count(run.gap), '0'],
    ['messages that ended during the block', count(run.settledWhileBlocked), '> 0'],
    [
      'time until sends were accepted again after the block',
      resumed === undefined ? 'never' : `${resumed.toFixed(1)} s`,
      `≤ ${recoverySeconds} s`,
    ],
    [
      'most accepted messages that waited to be recorded, without the block',
      count(maxWaitingOf(run)),
      `≤ ${count(allowedWaiting(run))}`,
    ],
    ['longest age of the intake queue, without the block', `${maxAgeOf(run).toFixed(1)} s`, ''],
  ]
}

export function overloadSection(run: OverloadRun, findings: readonly string[]): string {
  return `\`npm run suite -- overload --seconds ${run.seconds} --blocked ${run.blockedSeconds} --write\`: one account keeps ${count(run.outstanding)}
requests of ${destinationsPerRequest} messages outstanding and repeats refused ones after a tenth of their \`Retry-After\`. After a third of
the time RabbitMQ blocks publishers for ${run.blockedSeconds} seconds. A message expires after ${run.stepTtlSeconds} seconds.

${figures(run)
  .map(([name, figure, limit]) => `- ${name}: ${figure}${limit === '' ? '' : ` (limit: ${limit})`}`)
  .join('\n')}

![Accepted messages](../pictures/overload-rate.svg)

![Age of the intake queue](../pictures/overload-queue.svg)

Peak of the resident memory and its slope. Limits: ${memoryLimits}

${memoryRows(run.samples)
  .slice(1)
  .map(([name, peak, , slope]) => `- ${name}: ${peak}, ${slope}`)
  .join('\n')}

![Resident memory of each process](../pictures/overload-memory.svg)

${findings.length === 0 ? 'Every limit was kept.' : `Wrong: ${findings.join('; ')}.`}

${describeMeasurement()}`
}

const count = (value: number): string => value.toLocaleString('en-US')
