/** Checks what must hold for every batch at any moment, and for its results when it is done. */
import type { ReportPoller } from '../../load/report-poller.ts'
import { postern, type Environment } from '../../support/processes/postern-command.ts'
import { waitFor } from '../../support/wait.ts'
import type { Batch, BatchClient, ResultRow } from './batch-client.ts'
import { expectedCounts, recipientOf, refOf, type TestList } from './recipients.ts'

export function checkCounts({ batchId, counts, outcomes }: Batch): string[] {
  const { lines, waiting, duplicate, refused, cancelled, messages, open } = counts
  const decided = waiting + duplicate + refused + cancelled + messages
  const closed = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
  return [
    ...(lines === decided ? [] : [`batch ${batchId} has ${lines} lines, of which ${decided} are counted`]),
    ...(messages === open + closed
      ? []
      : [`batch ${batchId} has ${messages} messages, of which ${open + closed} are open or closed`]),
    ...Object.entries(counts).flatMap(([name, count]) =>
      count < 0 ? [`batch ${batchId} counts ${count} ${name}`] : [],
    ),
  ]
}

/** Runs `postern ledger check`, which exits with 1 if the counts of messages or batches differ from the tables. */
export function checkLedger(environment: Environment): Promise<string[]> {
  return postern(environment, 'ledger', 'check').then(
    () => [],
    (error: unknown) => [
      `the ledger check failed: ${(error as { stdout?: string }).stdout || String(error)}`,
    ],
  )
}

/** Further findings of a batch are not listed. */
const maxFindings = 20

export interface Evidence {
  /** If given, each message must have exactly one report. */
  readonly reports?: ReportPoller
  /** Returns what is wrong with the row of a recipient. */
  readonly checkRow?: (row: ResultRow, recipient: string) => string | undefined
}

/**
 * Compares the results of a batch that is done with its lines and counts. Each line must have exactly one final state.
 */
export async function checkResults(
  client: BatchClient,
  list: TestList,
  batch: Batch,
  { reports, checkRow }: Evidence = {},
): Promise<string[]> {
  const expected = expectedCounts(list)
  const findings = [...checkCounts(batch)]
  const wrong = (text: string): void =>
    void (findings.length < maxFindings && findings.push(`${batch.batchId}: ${text}`))
  const msgKeys: string[] = []
  const tally = new Map<string, number>()
  const count = (name: string): void => void tally.set(name, (tally.get(name) ?? 0) + 1)
  let index = 0
  const parts = list.parts.flatMap((lines, part) => ({ part: part + 1, lines }))
  let partIndex = 0
  let line = 0
  for await (const row of client.results(batch.batchId)) {
    if (line === parts[partIndex]?.lines) {
      partIndex += 1
      line = 0
    }
    line += 1
    // A cancelled batch keeps the ref of its messages only.
    const ref = batch.state === 'cancelled' && row.msgKey === '' ? '' : refOf(index)
    if (row.part !== parts[partIndex]?.part || row.line !== line || row.ref !== ref)
      wrong(`row ${index + 1} is line ${row.line} of part ${row.part} with ref ${row.ref}`)
    const problem = checkRow?.(row, recipientOf(list, index))
    if (problem !== undefined) wrong(problem)
    index += 1
    if (row.msgKey !== '') {
      count('messages')
      count(`outcome ${row.reportCode}`)
      if (reports !== undefined) msgKeys.push(row.msgKey)
      if (row.reportCode === '') wrong(`${row.msgKey} has no outcome`)
    } else if (row.code === 'duplicate' || row.code === 'cancelled') count(row.code)
    else {
      count('refused')
      count(`code ${row.code}`)
    }
  }
  if (reports !== undefined) {
    const areReported = (): boolean => msgKeys.every((key) => reports.counts.has(key))
    // Missing reports are found below.
    await waitFor('the reports of the batch', areReported, { everyMs: 100 }).catch(() => undefined)
    for (const key of msgKeys)
      if (reports.counts.get(key) !== 1) wrong(`${key} has ${reports.counts.get(key) ?? 0} reports`)
  }
  const equal = (what: string, actual: number, wanted: number): void => {
    if (actual !== wanted) wrong(`${what}: ${actual}, expected ${wanted}`)
  }
  equal('lines', batch.counts.lines, expected.lines)
  equal('result rows', index, expected.lines)
  equal('waiting', batch.counts.waiting, 0)
  equal('open', batch.counts.open, 0)
  equal('duplicates', batch.counts.duplicate, expected.duplicate)
  equal('refused', batch.counts.refused, expected.refused)
  for (const name of ['messages', 'duplicate', 'refused', 'cancelled'] as const)
    equal(`${name} in the results`, tally.get(name) ?? 0, batch.counts[name])
  for (const [code, wanted] of Object.entries(batch.outcomes))
    equal(`outcome ${code} in the results`, tally.get(`outcome ${code}`) ?? 0, wanted)
  for (const [code, wanted] of Object.entries(batch.codes))
    if (!['duplicate', 'cancelled'].includes(code))
      equal(`code ${code} in the results`, tally.get(`code ${code}`) ?? 0, wanted)
  return findings
}
