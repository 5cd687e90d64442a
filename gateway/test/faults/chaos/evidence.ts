import type { Duplicate, RecordedSubmission } from '../../../../simulator/src/smsc.ts'
import type { LedgerTotal } from '../../support/processes/postern-command.ts'
import { query } from '../../support/processes/scratch-database.ts'
import type { FaultRun } from './fault-runs.ts'
import type { ChaosLoad } from './load.ts'
import { findRef } from './message-mix.ts'
import type { ChaosReportPoller } from './report-poller.ts'
import type { UnknownStep } from './unknown-steps.ts'

/** Evidence of a run from the client, the carrier, the ledger and the tables. */
export interface ChaosEvidence {
  readonly load: ChaosLoad
  readonly poller: ChaosReportPoller
  readonly faultRuns: readonly FaultRun[]
  /** Time of the first send. */
  readonly began: number
  readonly ended: number
  readonly submissions: readonly RecordedSubmission[]
  /** Parts received more than once by the carrier, with explanations. */
  readonly duplicates: readonly ExplainedDuplicate[]
  readonly unknownSteps: readonly UnknownStep[]
  readonly ledger: LedgerTotal
}

export interface ExplainedDuplicate {
  readonly description: string
  readonly explanation: string | undefined
}

interface AttemptRow {
  readonly msg_key: string
  readonly try: number
  readonly outcome: string
}

/**
 * Explains duplicate submissions. The only valid reason is a route that resubmits after an unknown outcome:
 * then an earlier attempt has the outcome `unknown`.
 */
export async function explainDuplicates(
  duplicates: readonly Duplicate[],
  load: ChaosLoad,
  databaseUrl: string,
): Promise<ExplainedDuplicate[]> {
  if (duplicates.length === 0) return []
  const toKey = (duplicate: Duplicate): string => {
    const reply = load.sends.get(findRef(duplicate.text ?? '') ?? '')?.reply
    return reply?.kind === 'accepted' ? reply.msgKey : ''
  }
  const attempts = await query<AttemptRow>(
    databaseUrl,
    'select msg_key, try, outcome from attempts where msg_key = any($1)',
    [duplicates.map(toKey)],
  )
  return duplicates.map((duplicate) => {
    const rows = attempts.filter((row) => row.msg_key === toKey(duplicate))
    const tries = new Set(rows.map((row) => row.try))
    const repeated = tries.size >= duplicate.count && rows.some((row) => row.outcome === 'unknown')
    return {
      description: `${(duplicate.text ?? '?').slice(0, 30)} ×${duplicate.count} (${toKey(duplicate)})`,
      explanation: repeated ? 'resubmitted after an unknown outcome, as its route is configured' : undefined,
    }
  })
}

/** Returns the msgKeys of messages with a step that ended by its deadline or as unknown. */
export async function findTimeouts(databaseUrl: string): Promise<ReadonlySet<string>> {
  const rows = await query<{ msg_key: string }>(
    databaseUrl,
    `select msg_key from reports where report_code in ('22000', '32000', '63005', '99999')`,
    [],
  )
  return new Set(rows.map((row) => row.msg_key))
}

/** Describes some attempts of messages with a wrong result, for investigation. */
export async function describeAttempts(databaseUrl: string, msgKeys: readonly string[]): Promise<string[]> {
  if (msgKeys.length === 0) return []
  const rows = await query<{ row: string }>(
    databaseUrl,
    `select row_to_json(a)::text as row from attempts a where msg_key = any ($1) order by msg_key, step, part limit 20`,
    [msgKeys],
  )
  return rows.map(({ row }) => `attempt of a message with a wrong result: ${row}`)
}

/** Describes some messages that are still in flight, for investigation. */
export async function describeOpen(databaseUrl: string): Promise<string[]> {
  const rows = await query<{ row: string }>(
    databaseUrl,
    `select json_build_object('in_flight', f, 'now', now(), 'attempts',
              (select json_agg(a) from attempts a where a.msg_key = f.msg_key)) as row
       from in_flight f limit 5`,
  )
  return rows.map(({ row }) => `still open: ${JSON.stringify(row)}`)
}
