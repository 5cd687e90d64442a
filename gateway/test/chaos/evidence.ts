/** The evidence of a finished run: from the client, the carrier, the ledger and the tables. Read by verdict.ts. */
import type { Duplicate, RecordedSubmission } from '../../../simulator/src/smsc.ts'
import type { LedgerTotal } from '../support/processes/postern-command.ts'
import { query } from '../support/processes/scratch-database.ts'
import type { FaultRun } from './fault-runs.ts'
import type { Load } from './load.ts'
import { refIn } from './message-mix.ts'
import type { ReportPoller } from './report-poller.ts'
import type { UnknownStep } from './unknown-steps.ts'

export interface Evidence {
  readonly load: Load
  readonly poller: ReportPoller
  readonly faultRuns: readonly FaultRun[]
  /** From the first send to the last. */
  readonly began: number
  readonly ended: number
  readonly submissions: readonly RecordedSubmission[]
  /** Parts that reached the carrier more than once, each with its explanation, if there is one. */
  readonly duplicates: readonly ExplainedDuplicate[]
  readonly unknownSteps: readonly UnknownStep[]
  readonly ledger: LedgerTotal
}

export interface ExplainedDuplicate {
  readonly what: string
  readonly explanation: string | undefined
}

interface AttemptRow {
  readonly msg_key: string
  readonly try: number
  readonly outcome: string
}

/**
 * The only valid reason to submit a part twice is a route that is configured to resubmit after an unknown outcome: then
 * an attempt of an earlier try has the outcome unknown.
 */
export async function explainDuplicates(
  duplicates: readonly Duplicate[],
  load: Load,
  databaseUrl: string,
): Promise<ExplainedDuplicate[]> {
  if (duplicates.length === 0) return []
  const keyOf = (duplicate: Duplicate): string => {
    const reply = load.sends.get(refIn(duplicate.text ?? '') ?? '')?.reply
    return reply?.kind === 'accepted' ? reply.msgKey : ''
  }
  const attempts = await query<AttemptRow>(
    databaseUrl,
    'select msg_key, try, outcome from attempts where msg_key = any($1)',
    [duplicates.map(keyOf)],
  )
  return duplicates.map((duplicate) => {
    const rows = attempts.filter((row) => row.msg_key === keyOf(duplicate))
    const tries = new Set(rows.map((row) => row.try))
    const repeated = tries.size >= duplicate.count && rows.some((row) => row.outcome === 'unknown')
    return {
      what: `${(duplicate.text ?? '?').slice(0, 30)} ×${duplicate.count} (${keyOf(duplicate)})`,
      explanation: repeated ? 'resubmitted after an unknown outcome, as its route is configured' : undefined,
    }
  })
}

/** Counts the steps that have ended by their deadline. */
export async function countTimeouts(databaseUrl: string): Promise<number> {
  const [row] = await query<{ n: number }>(
    databaseUrl,
    `select count(*)::int as n from reports where report_code in ('22000', '32000', '63005', '99999')`,
    [],
  )
  return row!.n
}

/** The attempts of messages that ended otherwise than they must: the starting point of an investigation. */
export async function describeAttempts(databaseUrl: string, msgKeys: readonly string[]): Promise<string[]> {
  if (msgKeys.length === 0) return []
  const rows = await query<{ row: string }>(
    databaseUrl,
    `select row_to_json(a)::text as row from attempts a where msg_key = any ($1) order by msg_key, step, part limit 20`,
    [msgKeys],
  )
  return rows.map(({ row }) => `attempt of a message that ended otherwise: ${row}`)
}

/** The rows of messages that are still in flight although all should be final: the starting point of an investigation. */
export async function describeOpen(databaseUrl: string): Promise<string[]> {
  const rows = await query<{ row: string }>(
    databaseUrl,
    `select json_build_object('in_flight', f, 'now', now(), 'attempts',
              (select json_agg(a) from attempts a where a.msg_key = f.msg_key)) as row
       from in_flight f limit 5`,
  )
  return rows.map(({ row }) => `still open: ${JSON.stringify(row)}`)
}
