/**
 * Measures PostgreSQL's clock for `clock.ts`, at start and every two seconds. While PostgreSQL is unavailable the clock
 * continues from the last measurement.
 */
import type { Clock, ClockSample } from '../time/clock.ts'
import { openSingleConnection, type Queryable } from './database.ts'
import type { Log } from '../logging/log.ts'
import type { Metrics } from '../metrics.ts'
import { every } from '../time/periodic.ts'

const intervalMs = 2_000
/** A slower response is ignored, because the error is up to half the round trip. */
const maxRoundTripMs = 1_000
/**
 * Clocks of computers drift by less than 0.05 %. Even after an hour without PostgreSQL a larger correction is
 * a jump.
 */
const jumpMs = 2_000
const firstSamples = 3

export interface ClockMeasurement {
  /** Resolves after the first measurement. */
  readonly measured: Promise<unknown>
  stop(): Promise<void>
}

export interface ClockMeasurementOptions {
  readonly url: string
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<Metrics, 'clockSkew' | 'clockJump'>
  /** Reports whether another process that ran before the time has seen no jump. */
  readonly isExplained: (since: Date) => Promise<boolean>
}

export function startClockMeasurement(options: ClockMeasurementOptions): ClockMeasurement {
  const { url, clock, log, metrics, isExplained } = options
  const pool = openSingleConnection(url, 'clock')
  const { promise, resolve } = Promise.withResolvers<undefined>()
  let agreed = true
  const measuring = every(intervalMs, "measuring PostgreSQL's clock", log, async () => {
    try {
      const correctionMs = await measureClock(pool, clock)
      if (Math.abs(correctionMs) > jumpMs)
        log.warn({ seconds: Math.round(correctionMs / 1000) }, describeJump(correctionMs))
      resolve(undefined)
      const since = clock.unexplainedSince
      if (since !== null && (await isExplained(since))) explainJump(clock, log)
    } finally {
      // The host's clock may have been set even if PostgreSQL did not respond.
      if (clock.isMeasured) {
        metrics.clockSkew.set(clock.skewMs / 1000)
        metrics.clockJump.set(clock.jumpMs / 1000)
        if (clock.agrees !== agreed) logAgreement(clock, log)
        agreed = clock.agrees
      }
    }
  })
  return {
    measured: promise,
    async stop() {
      await measuring.stop()
      await pool.end()
    },
  }
}

function explainJump(clock: Clock, log: Log): void {
  log.warn(
    { seconds: Math.round(clock.jumpMs / 1000) },
    "this machine was paused: another worker saw no jump of PostgreSQL's clock. This process again expires steps and sends scheduled messages",
  )
  clock.explainJump()
}

/** PostgreSQL responded too slowly for an exact measurement. */
export class SlowClockResponse extends Error {
  override readonly name = 'SlowClockResponse'
}

/**
 * Returns the correction of the clock in milliseconds. Throws if PostgreSQL responds too slowly or not at
 * all.
 */
export async function measureClock(database: Queryable, clock: Clock): Promise<number> {
  const count = clock.isMeasured ? 1 : firstSamples
  let best: ClockSample | undefined
  for (let n = 0; n < count; n++) {
    const sample = await takeSample(database, clock)
    if (best === undefined || roundTrip(sample) < roundTrip(best)) best = sample
  }
  if (roundTrip(best!) > maxRoundTripMs)
    throw new SlowClockResponse(
      `PostgreSQL took ${Math.round(roundTrip(best!))} ms to respond, more than ${maxRoundTripMs} ms; retrying. If this lasts, check its load and the network`,
    )
  return clock.follow(best!)
}

async function takeSample(database: Queryable, clock: Clock): Promise<ClockSample> {
  const sentMs = clock.monotonicMs
  const result = await database.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  return { databaseMs: result.rows[0]!.ms, sentMs, receivedMs: clock.monotonicMs }
}

function roundTrip({ sentMs, receivedMs }: ClockSample): number {
  return receivedMs - sentMs
}

function describeJump(correctionMs: number): string {
  const direction = correctionMs > 0 ? 'forward' : 'back'
  return `PostgreSQL's clock jumped ${direction} relative to this process, which follows it. PostgreSQL moved to another host, its clock was set, or this machine was paused. Check the time synchronization (NTP) of the PostgreSQL hosts`
}

const suspendedWork =
  'expires steps nor sends scheduled messages nor deletes partitions, files, forms, texts or webhook pushes'

function logAgreement({ agrees, skewMs, jumpMs, maxSkewMs }: Clock, log: Log): void {
  const rounded = (ms: number): number => Math.round(ms / 1000)
  const seconds = {
    skewSeconds: rounded(skewMs),
    jumpSeconds: rounded(jumpMs),
    maxSeconds: rounded(maxSkewMs),
  }
  if (agrees) log.info(seconds, "this host's clock agrees with PostgreSQL's again")
  else if (Math.abs(skewMs) <= maxSkewMs)
    log.error(
      seconds,
      `PostgreSQL's clock jumped, and this host's clock agrees with it, so both may be wrong. This process uses PostgreSQL's time, and until it is restarted or PostgreSQL's clock jumps back it neither ${suspendedWork}. Compare PostgreSQL's time (select now()) with a trusted clock. If it is right, restart this process; otherwise correct the PostgreSQL host`,
    )
  else
    log.error(
      seconds,
      `this host's clock differs from PostgreSQL's, so one of them is wrong. This process uses PostgreSQL's time, and until they agree it neither ${suspendedWork}; processes on hosts that agree do. Correct the time synchronization (NTP) of this host, or of the PostgreSQL host if every process reports it`,
    )
}
