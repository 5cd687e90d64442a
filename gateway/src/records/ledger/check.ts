/**
 * The periodic check of the ledger, by one worker at a time. Each check covers every account on every day up to today, so
 * everything that is being sent, and the next of the days that have scheduled messages: a million scheduled messages cost
 * a check no more than those of one day. A day with a gap is checked every time until the gap is gone. The result is
 * stored in a row that all workers export, so that a gap found by one does not remain on another's gauge.
 */
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { dayOf } from '../partitions.ts'
import { findGaps, futureRange, lastFutureDay, untilToday, type LedgerGap } from './find-gaps.ts'

const lockKey = 0x6c656467

export interface LedgerCheck {
  readonly checkedAt: Date
  /** Sum of the absolute gaps over accounts and days. */
  readonly gap: number
  /** How many checks in a row have found a gap. */
  readonly consecutiveGaps: number
}

/** With what the last check of the first queue found, see `check-gate.ts`. */
export interface LastCheck extends LedgerCheck {
  readonly atGate: number
}

interface StoredCheck extends LedgerCheck {
  readonly tookMs: number
  /** The day of scheduled messages that is checked next; null when the first is. */
  readonly nextDay: string | null
  /** Days ahead that had a gap. */
  readonly gapDays: readonly string[]
}

/** A check takes at most this part of the time: with a long backlog, checks are rarer. */
const maxShare = 0.05
/** Of 30 s: an alert is raised when the last check is three minutes old. */
const maxStretch = 5
/** More days with a gap at once need no further proof. */
const maxGapDays = 10

/**
 * Checks when the last check is at least `minIntervalMs` old and no other worker is checking; null when it did not check.
 */
export async function checkLedger(
  database: Database,
  now: Date,
  minIntervalMs: number,
): Promise<{ readonly check: LedgerCheck; readonly gaps: readonly LedgerGap[] } | null> {
  const isDue = (last: StoredCheck | null): boolean => {
    if (last === null) return true
    const ageMs = now.getTime() - last.checkedAt.getTime()
    // A check in the future was made while PostgreSQL's clock was ahead.
    return ageMs < 0 || ageMs >= intervalAfter(last, minIntervalMs)
  }
  if (!isDue(await readStored(database))) return null
  return inTransaction(database, async (transaction) => {
    const lock = await transaction.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1) as taken',
      [lockKey],
    )
    if (lock.rows[0]?.taken !== true) return null
    const last = await readStored(transaction)
    if (!isDue(last)) return null
    const started = performance.now()
    const tomorrow = dayOf(now, 1)
    const turn = await findFutureDay(transaction, now, last?.nextDay ?? tomorrow)
    const future = new Set([
      ...(last?.gapDays ?? []).filter((day) => day >= tomorrow),
      ...(turn === null ? [] : [turn]),
    ])
    const ranges = [...future].map((day) => futureRange(day, now))
    const gaps = await findGaps(transaction, [untilToday(now), ...ranges])
    const gap = gaps.reduce((sum, entry) => sum + Math.abs(entry.gap), 0)
    const check = { checkedAt: now, gap, consecutiveGaps: gap === 0 ? 0 : (last?.consecutiveGaps ?? 0) + 1 }
    await saveCheck(transaction, {
      ...check,
      tookMs: Math.round(performance.now() - started),
      nextDay: turn === null ? null : futureRange(turn, now).to,
      gapDays: [...future].filter((day) => gaps.some((found) => contains(futureRange(day, now), found.day))),
    })
    return { check, gaps }
  })
}

/** Pure; exported for tests. */
export function intervalAfter({ tookMs }: Pick<StoredCheck, 'tookMs'>, minIntervalMs: number): number {
  return Math.max(minIntervalMs, Math.min(minIntervalMs * maxStretch, tookMs / maxShare))
}

const contains = ({ from, to }: { from: string; to: string }, day: string): boolean => day >= from && day < to

/** The first day from `from` on, or after the last one again, that has an open message or a count. Index probes. */
async function findFutureDay(transaction: Queryable, now: Date, from: string): Promise<string | null> {
  const tomorrow = dayOf(now, 1)
  const starts = from > tomorrow && from <= lastFutureDay(now) ? [from, tomorrow] : [tomorrow]
  for (const start of starts) {
    const found = await transaction.query<{ day: string | null }>(
      `select least((select left(msg_key, 8) from in_flight where msg_key >= $1 order by msg_key limit 1) collate "C",
                    (select to_char(day, 'YYYYMMDD') from ledger where folded and day >= $2 order by day limit 1)
                      collate "C") as day`,
      [start, start],
    )
    const day = found.rows[0]?.day ?? null
    // Everything after the last day is one range.
    if (day !== null) return day < lastFutureDay(now) ? day : lastFutureDay(now)
  }
  return null
}

async function saveCheck(transaction: Queryable, check: StoredCheck): Promise<void> {
  await transaction.query(
    `insert into ledger_checks (checked_at, gap, consecutive_gaps, took_ms, next_day, gap_days)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update
       set checked_at = excluded.checked_at, gap = excluded.gap, consecutive_gaps = excluded.consecutive_gaps,
           took_ms = excluded.took_ms, next_day = excluded.next_day, gap_days = excluded.gap_days`,
    [
      check.checkedAt,
      check.gap,
      check.consecutiveGaps,
      check.tookMs,
      check.nextDay,
      check.gapDays.slice(0, maxGapDays),
    ],
  )
}

async function readStored(database: Queryable): Promise<(StoredCheck & LastCheck) | null> {
  const result = await database.query<StoredCheck & LastCheck>(
    `select checked_at as "checkedAt", gap, consecutive_gaps as "consecutiveGaps", took_ms as "tookMs",
            next_day as "nextDay", gap_days as "gapDays", gate_gap as "atGate" from ledger_checks`,
  )
  return result.rows[0] ?? null
}

/** The last check by any worker; null before the first. */
export async function readCheck(database: Queryable): Promise<LastCheck | null> {
  return readStored(database)
}
