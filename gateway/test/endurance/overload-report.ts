/** The result of the overload run: figures against their bounds, charts, and the section of docs/overload.md. Pure. */
import { destinationsPerRequest } from './burst-load.ts'
import { describeMeasurement } from '../support/measurement.ts'
import { flatMeans, judgeMemory, memoryFigures, memoryRows, type MemorySamples } from './overload-memory.ts'

export interface OverloadRun {
  readonly seconds: number
  readonly outstanding: number
  readonly blockedSeconds: number
  /** Seconds of the run. */
  readonly blockedFrom: number
  readonly blockedUntil: number
  /** Messages. */
  readonly accepted: number
  readonly submitted: number
  /** Of these until the end of the load: what the pipeline carries. */
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
  /** Age of the first queue, and messages accepted in each second. */
  readonly ages: readonly (readonly [number, number])[]
  readonly rates: readonly (readonly [number, number])[]
}

/** The account returns too early, so that it offers several times what is carried. */
export const waitShare = 0.1
const minOffered = 3
/** The first queue is drained within this time after the broker accepts messages again. */
export const recoverySeconds = 30
export function judgeOverload(run: OverloadRun, maxAgeSeconds: number): string[] {
  const findings = [...run.failures]
  const mustHold = (holds: boolean, what: string): void => {
    if (!holds) findings.push(what)
  }
  mustHold(run.accepted > 0, 'nothing was accepted')
  mustHold(run.refusedRequests > 0, 'no request was refused: it was no overload')
  const offered = offeredPerCarried(run)
  mustHold(
    offered >= minOffered,
    `only ${offered.toFixed(1)} messages were offered for each one carried; at least ${minOffered} make an overload`,
  )
  mustHold(run.lost === 0, `${run.lost} accepted messages did not end in exactly one report`)
  mustHold(
    run.unaccepted <= run.unknown,
    `${run.unaccepted} messages that were not accepted were sent; the answers to ${run.unknown} said that this may be`,
  )
  mustHold(run.doubled === 0, `${run.doubled} messages reached the carrier twice`)
  mustHold(run.gap === 0, `the ledger has a gap of ${run.gap}`)
  mustHold(run.settledWhileBlocked > 0, 'no receipt was settled while the broker blocked publishers')
  mustHold(
    run.resumedAfterSeconds !== undefined,
    `sends were not accepted within ${recoverySeconds} s after the disk was freed`,
  )
  const age = maxAgeOf(run)
  mustHold(
    age <= maxAgeSeconds,
    `the first queue was ${age.toFixed(1)} s old; at most ${maxAgeSeconds} s are allowed`,
  )
  findings.push(...judgeMemory(run.samples, run.seconds))
  return findings
}

/** While the broker takes messages; afterwards the queue may drain for some seconds. */
function maxAgeOf({ ages, blockedFrom, blockedUntil }: OverloadRun): number {
  const apart = ages.filter(([at]) => at < blockedFrom || at > blockedUntil + recoverySeconds)
  return Math.max(0, ...apart.map(([, age]) => age))
}

/** Messages that were offered, those of repeated requests included, for each one that reached the carrier meanwhile. */
function offeredPerCarried({ begun, refusedRequests, carried }: OverloadRun): number {
  return ((begun + refusedRequests) * destinationsPerRequest) / Math.max(1, carried)
}

/** One line for programs. */
export function overloadJson(run: OverloadRun, findings: readonly string[]): string {
  return JSON.stringify({
    ...{ seconds: run.seconds, blockedSeconds: run.blockedSeconds },
    ...{ accepted: run.accepted, submitted: run.submitted, carried: run.carried },
    offeredPerCarried: Math.round(offeredPerCarried(run) * 100) / 100,
    ...{ refusedRequests: run.refusedRequests, lost: run.lost, doubled: run.doubled, gap: run.gap },
    ...{ unaccepted: run.unaccepted, unknown: run.unknown },
    ...{ settledWhileBlocked: run.settledWhileBlocked, acceptedWhileBlocked: run.acceptedWhileBlocked },
    ...{ resumedAfterSeconds: run.resumedAfterSeconds, maxFirstQueueAgeSeconds: maxAgeOf(run) },
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
    ['of these submitted; the others expired and were reported so', count(run.submitted), ''],
    [
      'messages offered for each one carried during the load',
      offeredPerCarried(run).toFixed(1),
      `≥ ${minOffered}`,
    ],
    ['requests refused, and their `Retry-After`', `${count(run.refusedRequests)}${range}`, '> 0'],
    ['accepted messages without exactly one report', count(run.lost), '0'],
    ['messages that reached the carrier twice', count(run.doubled), '0'],
    ['ledger gap', count(run.gap), '0'],
    [
      'messages whose answer said that they may be sent, and those that were',
      `${count(run.unknown)}, ${count(run.unaccepted)}`,
      '',
    ],
    ['messages that ended while the broker was blocked', count(run.settledWhileBlocked), '> 0'],
    [
      'until sends were accepted after it',
      resumed === undefined ? 'never' : `${resumed.toFixed(1)} s`,
      `≤ ${recoverySeconds} s`,
    ],
    ['longest age of the first queue, blocked time apart', `${maxAgeOf(run).toFixed(1)} s`, ''],
  ]
}

export function overloadSection(run: OverloadRun, findings: readonly string[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const [head, ...rows] = memoryRows(run.samples)
  return `\`npm run overload -- --seconds ${run.seconds} --blocked ${run.blockedSeconds} --write\`: two APIs, two workers and a simulated carrier. One account keeps ${count(run.outstanding)}
requests of ${destinationsPerRequest} messages outstanding for ${run.seconds} seconds; refused ones are sent again after a tenth of their \`Retry-After\`. After a third of
the time RabbitMQ reaches its disk limit and blocks publishers for ${run.blockedSeconds} seconds. A message expires ${run.stepTtlSeconds} seconds after it was accepted. The
account reads its reports all the time.

| | measured | bound |
| --- | ---: | ---: |
${figures(run).map(line).join('\n')}

![Accepted messages](img/overload-rate.svg)

![Age of the first queue](img/overload-queue.svg)

Resident memory of each process, once a second. ${flatMeans}

${[head!, head!.map((_, index) => (index === 0 ? '---' : '---:')), ...rows].map(line).join('\n')}

![Resident memory of each process](img/overload-memory.svg)

${findings.length === 0 ? 'Every bound was kept.' : `Wrong: ${findings.join('; ')}.`}

${describeMeasurement()}`
}

const count = (value: number): string => value.toLocaleString('en-US')
