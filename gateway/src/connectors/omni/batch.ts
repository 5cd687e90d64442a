/** Reads an answer with results, of polling or of the stream. Pure; called by the reader of results. */
import { codeOf, type CallResult } from './answer.ts'

/** Reports in one answer: the contract allows 1,000. */
const maxReports = 10_000
const maxIdLength = 1_024

export interface Batch {
  /** What acknowledges it; empty when there is nothing to acknowledge. */
  readonly id: string
  readonly reports: readonly unknown[]
}

/** Why results cannot be read. `account`: the service refuses the account; only its operator can change that. */
export interface ResultsProblem {
  readonly code: string
  readonly link: 'up' | 'lost' | 'account'
  readonly retryAfterMs: number | null
}

export function readBatch(answer: CallResult, polling: boolean): Batch | ResultsProblem {
  if (answer.kind !== 'answer' || answer.code !== 'A000') return problemOf(answer)
  const data = (answer.body.data ?? {}) as Readonly<Record<string, unknown>>
  const report: unknown = data.report
  const reports = Array.isArray(report) ? (report as readonly unknown[]) : []
  const id = polling ? data.reportId : data.cursor
  if (reports.length > maxReports || (reports.length > 0 && !isId(id)))
    return { code: 'malformed-batch', link: 'up', retryAfterMs: null }
  // A stream without new reports returns the cursor that is acknowledged already.
  return { id: isId(id) && (polling || reports.length > 0) ? id : '', reports }
}

export function problemOf(result: CallResult): ResultsProblem {
  const code = codeOf(result)
  if (result.kind === 'not-sent')
    return { code, link: result.accountRefused ? 'account' : 'lost', retryAfterMs: null }
  if (result.kind === 'no-answer') return { code, link: 'up', retryAfterMs: null }
  const refused = /^A1\d\d$|^A80[0127]$/.test(result.code) || [403, 404].includes(result.status)
  return { code, link: refused ? 'account' : 'up', retryAfterMs: result.retryAfterMs }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxIdLength
}
