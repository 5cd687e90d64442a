import assert from 'node:assert/strict'
import type { Cause } from '../../src/channels/cause.ts'
import type { Queryable } from '../../src/platform/database/database.ts'
import type { SimulatedMessage } from './simulated-message.ts'

interface Seen {
  readonly open: { step: number; state: string; results: readonly { cause: Cause }[] | null } | undefined
  readonly codes: readonly string[]
  /** Step that waits for a route. */
  readonly waitingStep: number | undefined
}

async function readTables(database: Queryable, keys: readonly string[]): Promise<(key: string) => Seen> {
  const open = await database.query<{ msg_key: string } & NonNullable<Seen['open']>>(
    'select msg_key, step, state, results from in_flight where msg_key = any($1)',
    [keys],
  )
  const reports = await database.query<{ msg_key: string; step: number; report_code: string }>(
    'select msg_key, step, report_code from reports where msg_key = any($1) order by msg_key, seq',
    [keys],
  )
  const waiting = await database.query<{ msg_key: string; step: number }>(
    'select msg_key, step from waiting where msg_key = any($1)',
    [keys],
  )
  const waitingStep = new Map(waiting.rows.map((row) => [row.msg_key, row.step]))
  const rows = new Map(open.rows.map((row) => [row.msg_key, row]))
  const reported = new Map<string, string[]>()
  for (const { msg_key, step, report_code } of reports.rows) {
    const codes = reported.get(msg_key) ?? []
    reported.set(msg_key, codes)
    // Reports are in polling order, one per step, without gaps.
    assert.equal(codes.push(report_code), step, `reports of ${msg_key} are not in the order of its steps`)
  }
  return (key) => ({ open: rows.get(key), codes: reported.get(key) ?? [], waitingStep: waitingStep.get(key) })
}

/**
 * Compares the tables with the model, and ends steps of the model as the tables show. `messages` has the possible
 * causes of an end by message; empty means that its step must not have ended.
 */
export async function compare(
  database: Queryable,
  messages: ReadonlyMap<SimulatedMessage, ReadonlySet<Cause>>,
): Promise<void> {
  const see = await readTables(
    database,
    [...messages.keys()].map(({ msgKey }) => msgKey),
  )
  for (const [message, ends] of messages) compareOne(message, ends, see(message.msgKey))
}

function compareOne(
  message: SimulatedMessage,
  ends: ReadonlySet<Cause>,
  { open, codes, waitingStep }: Seen,
): void {
  const { model } = message
  const fail = (problem: string): never =>
    assert.fail(`${problem}\nseen ${JSON.stringify({ open, codes })}\n${message.history.join('\n')}`)
  if (ends.size > 0) {
    const ending = model
      .findStepEnds(ends)
      .find(({ cause, code, how }) =>
        how === 'closes'
          ? open === undefined && codes.at(-1) === code
          : open?.results?.at(-1)?.cause === cause,
      )
    if (ending === undefined || (ending.how === 'advances' && open?.step !== model.step + 1)) {
      return fail(`step ${model.step} must have ended by one of ${[...ends].join(', ')}`)
    }
    model.end(ending)
    message.note(`step ended with ${ending.code} and ${ending.how}`)
  }
  if (model.closed) {
    if (open !== undefined) fail('it is closed and must not be in flight')
    if (codes.join() !== model.codes.join()) fail(`its reports must be ${model.codes.join()}`)
    return
  }
  if (codes.length > 0) fail('it is open and must have no report')
  if (model.step === 0) {
    if (open !== undefined) fail('it was never recorded')
    return
  }
  if (open?.step !== model.step || open.state !== model.state) {
    fail(`it must be at step ${model.step}, ${model.state}`)
  }
  // The row remains until a worker claims it, because the process that started the step may have crashed.
  if (model.step > 1 && waitingStep !== model.step)
    fail(`step ${model.step} must be waiting for a route, not ${waitingStep}`)
}
