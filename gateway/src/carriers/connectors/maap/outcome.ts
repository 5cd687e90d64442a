/**
 * Determines the outcome of a submission from its response. A known result code decides, whatever the HTTP status; an unknown
 * one refuses the message, but with a 5xx it leaves the outcome open. Without a code, only a status that refuses the request
 * shows that the message was not accepted.
 */
import type { MobileCarrier } from '../../../channels/mobile-carriers.ts'
import type { SubmitOutcome } from '../connector.ts'
import { toFailureOutcome } from '../http/http-client.ts'
import type { MaapResponse } from './response.ts'
import { getReportDetail, findRcsMeaning, type CodeOverrides, type RcsMeaning } from '../rcs-codes.ts'
import type { MaapCallResult } from './host.ts'

export interface MaapOutcomeOptions {
  readonly codes: CodeOverrides
  readonly throttleRetryMs: number
  readonly repeatable: boolean
}

export interface SubmittedMessage {
  /** Message id at the carrier. */
  readonly id: string
  /** The carrier whose host responded; undefined for the relay. */
  readonly carrier: MobileCarrier | undefined
  /** Whether the agency key is the client's rather than the operator's. */
  readonly hasOwnAgencyKey: boolean
}

export function toMaapOutcome(
  options: MaapOutcomeOptions,
  submitted: SubmittedMessage,
  result: MaapCallResult,
): SubmitOutcome {
  if (result.kind !== 'answer') return toFailureOutcome(result, 'maap')
  const { answer } = result
  if (answer.isSuccess) return accepted(submitted)
  return answer.code === '' ? fromStatus(options, answer) : fromCode(options, submitted, answer)
}

/** Returns whether the number belongs to another carrier. */
export function isNotSubscriber({ codes }: MaapOutcomeOptions, result: MaapCallResult): boolean {
  return result.kind === 'answer' && findRcsMeaning(result.answer.code, codes) === 'not-subscriber'
}

function fromCode(
  options: MaapOutcomeOptions,
  submitted: SubmittedMessage,
  answer: MaapResponse,
): SubmitOutcome {
  const { code, text, httpStatus, retryAfterMs } = answer
  const meaning: RcsMeaning =
    findRcsMeaning(code, options.codes) ?? (httpStatus >= 500 ? 'system-error' : 'refused')
  switch (meaning) {
    case 'throttled':
      return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? options.throttleRetryMs }
    case 'token':
    case 'account':
    case 'unreachable':
      return { kind: 'unreachable', code, text }
    case 'uncertain':
    case 'system-error':
      return { kind: 'unknown', code, text }
    case 'duplicate':
      // The id is our reference: the carrier has already accepted this submission.
      if (options.repeatable) return accepted(submitted)
      return { kind: 'refused', cause: 'duplicate', code, text }
    case 'agency-key':
      if (submitted.hasOwnAgencyKey) return { kind: 'refused', cause: 'unregistered-sender', code, text }
      return { kind: 'unreachable', code, text: 'the carrier refuses the agency key of the route' }
    case 'not-subscriber':
      return { kind: 'refused', cause: 'no-subscriber', code, text }
    default:
      return { kind: 'refused', cause: meaning, ...getReportDetail(code), code, text }
  }
}

function fromStatus({ throttleRetryMs }: MaapOutcomeOptions, answer: MaapResponse): SubmitOutcome {
  const { httpStatus, retryAfterMs } = answer
  const code = `http:${httpStatus}`
  switch (httpStatus) {
    case 429:
      return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? throttleRetryMs }
    case 401:
    case 403:
    case 404:
    case 405:
    case 407:
      return { kind: 'unreachable', code, text: 'check the URL and the login' }
    case 400:
    case 411:
    case 413:
    case 415:
      return { kind: 'refused', cause: 'failed', code, text: 'the carrier refused the request' }
    default:
      return { kind: 'unknown', code, text: 'unexpected response' }
  }
}

function accepted({ id, carrier }: SubmittedMessage): SubmitOutcome {
  return { kind: 'accepted', carrierId: id, ...(carrier === undefined ? {} : { carrier }) }
}
