/** The results of a batch as CSV: one row per uploaded line, in the order of parts and lines. */
import type { FormatTime } from '../../contract/times.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { unpackLines } from '../../records/batches/lines.ts'
import { readNextPage, type BatchPage } from '../../records/batches/work.ts'
import { countWaitingLines, type BatchView } from '../../records/batches/views.ts'
import { findLastReports, type ReportRow } from '../../records/reports/queries.ts'
import { quoteCsv } from '../../records/usage/csv.ts'

export const resultColumns = [
  'part',
  'line',
  'ref',
  'msgKey',
  'code',
  'reportCode',
  'sentAt',
  'reportedAt',
  'parts',
] as const

/** Reads one page of lines at a time. */
export async function* readResults(
  database: Queryable,
  batch: BatchView,
  formatTime: FormatTime,
): AsyncGenerator<string> {
  yield `${resultColumns.join(',')}\r\n`
  let position = { nextPart: 0, nextPage: 0 }
  let firstLine = 1
  for (;;) {
    const page = await readNextPage(database, { id: batch.id, ...position })
    if (page === null) return
    if (page.page === 0) firstLine = 1
    yield await describePage(database, batch, { ...page, firstLine }, formatTime)
    firstLine += page.lines
    position = { nextPart: page.part, nextPage: page.page + 1 }
  }
}

async function describePage(
  database: Queryable,
  batch: BatchView,
  page: BatchPage & { readonly firstLine: number },
  formatTime: FormatTime,
): Promise<string> {
  const { part, codes, msgKeys, firstLine } = page
  const reports = await findLastReports(
    database,
    msgKeys.filter((key) => key !== ''),
  )
  // Null if they were dropped: then the batch no longer knows which lines had a ref of their own.
  const lines = await unpackLines({ batchKey: batch.batchKey, part, page: page.page }, page)
  // Once no line waits, those without a result are cancelled.
  const undecided = countWaitingLines(batch) === 0 ? 'cancelled' : ''
  const rows = Array.from({ length: page.lines }, (_, index) => {
    const msgKey = msgKeys[index] ?? ''
    const report = reports.get(msgKey)
    return [
      String(part),
      String(firstLine + index),
      report?.ref ?? (lines === null ? '' : (lines[index]?.ref ?? batch.ref ?? '')),
      msgKey,
      msgKey === '' ? (codes[index] ?? undecided) : 'A000',
      ...describeReport(report, formatTime),
    ]
  })
  return rows.map((row) => `${row.map(quoteCsv).join(',')}\r\n`).join('')
}

function describeReport(report: ReportRow | undefined, formatTime: FormatTime): string[] {
  if (report === undefined) return ['', '', '', '']
  const { reportCode, sentAt, reportedAt, parts } = report
  return [reportCode, formatTime(sentAt), formatTime(reportedAt), String(parts)]
}
