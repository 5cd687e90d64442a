/**
 * Determines the outcome of a submission from its response. A StatusCode decides, whatever the HTTP status, because SOAP sends
 * errors with 500. Without one, only a status that refuses the request shows that the message was not accepted; a 5xx or an
 * unreadable response leaves the outcome unknown.
 */
import type { SubmitOutcome } from '../connector.ts'
import { toFailureOutcome, type HttpResult } from '../http/http-client.ts'
import { dialects } from './dialect.ts'
import type { Mm7Options } from './options.ts'
import { portedTo } from './ported-codes.ts'
import { readSoap } from './soap.ts'
import { submitMeaning } from './submit-codes.ts'
import { findText, type XmlElement } from './xml.ts'

export function toMm7Outcome(options: Mm7Options, result: HttpResult): SubmitOutcome {
  if (result.kind !== 'answer') return toFailureOutcome(result, 'mm7')
  const message = readSoap(result.headers['content-type'] ?? '', result.body)
  const status = message === null ? undefined : parseStatus(message.operation)
  if (status === undefined) return fromHttpStatus(options, result.status, result.retryAfterMs)
  return fromStatus(options, status, result.retryAfterMs)
}

interface Status {
  readonly code: string
  readonly text: string
  readonly messageId: string
}

/** Reads the status of SubmitRsp, or of the RSErrorRsp in a SOAP Fault. */
function parseStatus(operation: XmlElement): Status | undefined {
  const holder =
    operation.name === 'Fault'
      ? operation.children.find(({ name }) => name === 'detail')?.children[0]
      : operation
  const code = findText(holder, 'Status', 'StatusCode')
  if (code === undefined) return undefined
  const text = findText(holder, 'Status', 'StatusText') ?? findText(holder, 'Status', 'Details') ?? ''
  // A success code is valid only in the response to a submission.
  if (code.startsWith('1') && holder?.name !== 'SubmitRsp') return undefined
  return { code, text, messageId: findText(holder, 'MessageID') ?? '' }
}

export function isRepeatable(options: Mm7Options): boolean {
  const digits = options.transactionIdDigits ?? dialects[options.dialect].transactionIdDigits
  return digits === 0 && (options.repeatable ?? dialects[options.dialect].repeatable)
}

function fromStatus(
  options: Mm7Options,
  { code, text, messageId }: Status,
  retryAfterMs: number | null,
): SubmitOutcome {
  const meaning = submitMeaning(options, code)
  switch (meaning) {
    case 'accepted':
      return { kind: 'accepted', carrierId: messageId }
    case 'throttled':
      return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? options.throttleRetryMs }
    case 'unreachable':
    case 'unknown':
      return { kind: meaning, code, text }
    case 'duplicate':
      // TransactionID is our reference: the carrier has already accepted this submission.
      if (isRepeatable(options)) return { kind: 'accepted', carrierId: messageId }
      return { kind: 'refused', cause: meaning, code, text }
    default:
      return { kind: 'refused', cause: meaning, ...portedTo(options, code), code, text }
  }
}

function fromHttpStatus(options: Mm7Options, status: number, retryAfterMs: number | null): SubmitOutcome {
  const code = `http:${status}`
  switch (status) {
    case 429:
      return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? options.throttleRetryMs }
    case 401:
    case 403:
    case 404:
    case 405:
    case 407:
      return { kind: 'unreachable', code, text: 'check the URL, the user and the password' }
    case 400:
    case 411:
    case 415:
      return { kind: 'refused', cause: 'failed', code, text: 'the carrier refused the request' }
    case 413:
      return { kind: 'refused', cause: 'attachment', code, text: 'the request is too large for the carrier' }
    default:
      return { kind: 'unknown', code, text: 'the response has no StatusCode' }
  }
}
