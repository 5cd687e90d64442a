/**
 * The periodic check of the ledger. One worker at a time compares the counts with the messages (`findGaps`),
 * and the confirms of the broker with the messages that intake recorded (`gate.ts`). The result is a row that
 * every worker exports, so that a gap found by one does not remain on the gauge of another.
 */
import { parseKeyTime } from '../../contract/msg-key.ts'
import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { pastDay } from './fold.ts'
import { checkedUntil, findGateGaps, type GateHorizon } from './gate.ts'

const lockKey = 0x6c656467
const checkIntervalMs = 30_000
/** Shorter than the check interval, so that another worker takes over from one that died. */
const pollIntervalMs = 10_000
/** Maximum fraction of the time that checks take: with many open messages, checks are rarer. */
const maxFraction = 0.05
/** Limits the interval to 150 s, because an alert is raised when the last check is three minutes old. */
const maxStretch = 5

export interface LedgerContext {
  readonly database: Database
  readonly metrics: Metrics
  readonly log: Log
  readonly horizon: Pick<GateHorizon, 'read'>
}

export function startLedgerChecks(context: LedgerContext): Periodic {
  return every(pollIntervalMs, 'checking the ledger', context.log, () => updateLedger(context, clock.date()))
}

/**
 * Checks the ledger if a check is due, and exports the last result together with the age of the oldest open
 * message.
 */
export async function updateLedger(
  { database, metrics, log, horizon }: LedgerContext,
  now: Date,
): Promise<void> {
  const recordedUntil = await horizon.read().catch(() => null)
  await checkLedger({ database, log }, now, { recordedUntil })
  const check = await readCheck(database)
  if (check !== null) {
    metrics.ledgerGap.set(check.gap)
    metrics.ledgerUnrecorded.set(check.unrecorded)
    metrics.ledgerChecked.set(check.checkedAt.getTime() / 1000)
  }
  const { openSeconds, overdueSeconds } = await readOldestOpen(database, now)
  metrics.oldestOpen.set(openSeconds)
  metrics.overdue.set(overdueSeconds)
}

export interface LedgerCheck {
  readonly checkedAt: Date
  /** Sum of the absolute gaps over accounts and days. */
  readonly gap: number
  /** Number of consecutive checks that found a gap. */
  readonly consecutiveGaps: number
  /** Messages that the broker confirmed and intake did not record. */
  readonly unrecorded: number
}

interface StoredCheck extends LedgerCheck {
  readonly tookMs: number
  readonly gateUntil: Date | null
}

export interface CheckOptions {
  /** Everything accepted before this time must have been recorded; `null` if unknown. */
  readonly recordedUntil?: Date | null
  readonly intervalMs?: number
}

/** Returns null if no check is due or another worker is checking. */
export function checkLedger(
  { database, log }: Pick<LedgerContext, 'database' | 'log'>,
  now: Date,
  { recordedUntil = null, intervalMs = checkIntervalMs }: CheckOptions = {},
): Promise<LedgerCheck | null> {
  return inTransaction(database, async (transaction) => {
    const lock = await transaction.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1) as taken',
      [lockKey],
    )
    if (lock.rows[0]?.taken !== true) return null
    const last = await readStored(transaction, 'for update')
    if (last !== null && !isDue(last, now, intervalMs)) return null
    const started = performance.now()
    const gaps = await findGaps(transaction)
    const gap = gaps.reduce((sum, entry) => sum + Math.abs(entry.gap), 0)
    const consecutiveGaps = gap === 0 ? 0 : (last?.consecutiveGaps ?? 0) + 1
    const gateUntil = latest(last?.gateUntil ?? null, recordedUntil)
    const unrecorded = await findGateGaps(transaction, gateUntil)
    const tookMs = Math.round(performance.now() - started)
    await transaction.query(
      `insert into ledger_checks (checked_at, gap, consecutive_gaps, took_ms, gate_until, gate_gap)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (id) do update
         set checked_at = excluded.checked_at, gap = excluded.gap, consecutive_gaps = excluded.consecutive_gaps,
             took_ms = excluded.took_ms, gate_until = excluded.gate_until, gate_gap = excluded.gate_gap`,
      [now, gap, consecutiveGaps, tookMs, gateUntil, unrecorded.missing],
    )
    // A single gap can occur while two versions of the software run.
    if (consecutiveGaps >= 2)
      log.error(
        { gap, checks: consecutiveGaps, where: gaps.slice(0, 10) },
        'the ledger has a gap: messages were lost, recorded twice or closed twice; run `postern ledger check` to see which accounts and days',
      )
    if (unrecorded.missing > (last?.unrecorded ?? 0))
      log.error(
        { missing: unrecorded.missing, where: unrecorded.gaps.slice(-10) },
        'messages that the broker confirmed were not recorded: they were lost in the intake queue, or a worker that cannot reach PostgreSQL holds them; run `postern ledger check` to see which accounts and minutes',
      )
    return { checkedAt: now, gap, consecutiveGaps, unrecorded: unrecorded.missing }
  })
}

function isDue({ checkedAt, tookMs }: StoredCheck, now: Date, intervalMs: number): boolean {
  const ageMs = now.getTime() - checkedAt.getTime()
  // A check in the future was run while PostgreSQL's clock was ahead.
  return ageMs < 0 || ageMs >= intervalAfter(tookMs, intervalMs)
}

export function intervalAfter(tookMs: number, intervalMs: number): number {
  return Math.max(intervalMs, Math.min(intervalMs * maxStretch, tookMs / maxFraction))
}

function latest(left: Date | null, right: Date | null): Date | null {
  if (left === null || right === null) return left ?? right
  return left > right ? left : right
}

async function readStored(database: Queryable, lock: 'for update' | '' = ''): Promise<StoredCheck | null> {
  const result = await database.query<StoredCheck>(
    `select checked_at as "checkedAt", gap, consecutive_gaps as "consecutiveGaps", took_ms as "tookMs",
            gate_gap as "unrecorded", ${checkedUntil} as "gateUntil" from ledger_checks ${lock}`,
  )
  return result.rows[0] ?? null
}

/** Reads the result of the last check by any worker; returns null before the first. */
export async function readCheck(database: Queryable): Promise<LedgerCheck | null> {
  return readStored(database)
}

export interface LedgerGap {
  /** UTC day of acceptance, or of sending for a scheduled message (`yyyyMMdd`). */
  readonly day: string
  readonly accountId: number
  readonly accepted: number
  readonly final: number
  readonly inFlight: number
  readonly gap: number
}

/**
 * Finds the accounts and days whose counts and open messages disagree. One statement reads one snapshot: a message that is recorded
 * or closed in the meantime is seen entirely or not at all. It takes no lock that blocks the traffic.
 */
export async function findGaps(database: Queryable): Promise<LedgerGap[]> {
  const result = await database.query<LedgerGap>(
    `with booked as (select to_char(day, 'YYYYMMDD') as day, account_id, sum(accepted)::bigint as accepted,
                            sum(closed)::bigint as closed
                       from ledger where day > date '${pastDay}' group by day, account_id),
          open as (select left(msg_key, 8) as day, account_id, count(*) as in_flight from in_flight group by 1, 2)
     select day, account_id as "accountId", coalesce(b.accepted, 0) as accepted, coalesce(b.closed, 0) as final,
            coalesce(o.in_flight, 0) as "inFlight",
            coalesce(b.accepted, 0) - coalesce(b.closed, 0) - coalesce(o.in_flight, 0) as gap
       from booked b full join open o using (day, account_id)
      where coalesce(b.accepted, 0) - coalesce(b.closed, 0) <> coalesce(o.in_flight, 0)
      order by day, account_id`,
  )
  return result.rows
}

export interface OldestOpen {
  readonly openSeconds: number
  readonly overdueSeconds: number
}

/** Reads the age of the oldest open message and of the most overdue step with two index probes. */
export async function readOldestOpen(database: Queryable, now: Date): Promise<OldestOpen> {
  const result = await database.query<{ oldestKey: string | null; overdueSeconds: number }>(
    `select (select msg_key from in_flight order by msg_key limit 1) as "oldestKey",
            greatest(0, extract(epoch from $1::timestamptz - (select due_at from in_flight order by due_at limit 1)))::float8
              as "overdueSeconds"`,
    [now],
  )
  const { oldestKey, overdueSeconds } = result.rows[0]!
  return { openSeconds: keyAgeSeconds(oldestKey, now), overdueSeconds }
}

/** Returns 0 without a key, and for a message that is scheduled for later. */
export function keyAgeSeconds(key: string | null, now: Date): number {
  return key === null ? 0 : Math.max(0, (now.getTime() - parseKeyTime(key)) / 1000)
}
