/** Reads a response with results, of polling or of the stream. */
import { getOmniCode, type OmniCallResult } from './response.ts'

/** Maximum reports in one response; the API allows 1,000. */
const maxReports = 10_000
const maxIdLength = 1_024

export interface ReportBatch {
  /** Id to acknowledge it with; empty if there is nothing to acknowledge. */
  readonly id: string
  readonly reports: readonly unknown[]
}

/**
 * Why results cannot be read, and the resulting state of the link. `lost`: the service is unreachable. `account`: it refuses the
 * account, which an operator must correct.
 */
export interface ResultsProblem {
  readonly code: string
  readonly link: 'up' | 'lost' | 'account'
  readonly retryAfterMs: number | null
}

export function readBatch(answer: OmniCallResult, isPolling: boolean): ReportBatch | ResultsProblem {
  if (answer.kind !== 'answer' || answer.code !== 'A000') return toResultsProblem(answer)
  const data = (answer.body.data ?? {}) as Readonly<Record<string, unknown>>
  const report: unknown = data.report
  const reports = Array.isArray(report) ? (report as readonly unknown[]) : []
  const id = isPolling ? data.reportId : data.cursor
  if (reports.length > maxReports || (reports.length > 0 && !isId(id)))
    return { code: 'malformed-batch', link: 'up', retryAfterMs: null }
  // A stream without new reports returns the cursor that is already acknowledged.
  return { id: isId(id) && (isPolling || reports.length > 0) ? id : '', reports }
}

export function toResultsProblem(result: OmniCallResult): ResultsProblem {
  const code = getOmniCode(result)
  if (result.kind === 'not-sent')
    return { code, link: result.accountRefused ? 'account' : 'lost', retryAfterMs: null }
  if (result.kind === 'no-answer') return { code, link: 'up', retryAfterMs: null }
  // A1xx: the login. A802: no permission to read results; A800 and A801 are treated alike. A807: the name of the consumer, or
  // too many consumers.
  const refused = /^A1\d\d$|^A80[0127]$/.test(result.code) || [403, 404].includes(result.status)
  return { code, link: refused ? 'account' : 'up', retryAfterMs: result.retryAfterMs }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxIdLength
}
