/**
 * What the answer to a submission means. A result code decides, whatever the HTTP status; without one only a status that
 * refuses the request shows that the message was not accepted. Pure.
 */
import type { MobileCarrier } from '../../channels/mobile-carriers.ts'
import type { SubmitOutcome } from '../connector.ts'
import { outcomeOfFailure } from '../http-client.ts'
import type { Answer } from './answer.ts'
import { detailOf, meaningOf, type CodeOverrides, type Meaning } from '../rcs-codes.ts'
import type { CallResult } from './host.ts'

export interface OutcomeOptions {
  readonly codes: CodeOverrides
  readonly throttleRetryMs: number
  readonly repeatable: boolean
}

export interface Submitted {
  /** Of the message at the carrier. */
  readonly id: string
  /** The carrier whose host answered; undefined for the relay. */
  readonly carrier: MobileCarrier | undefined
  /** The agency key is the client’s, not the operator’s. */
  readonly hasOwnAgencyKey: boolean
}

export function outcomeOf(options: OutcomeOptions, submitted: Submitted, result: CallResult): SubmitOutcome {
  if (result.kind !== 'answer') return outcomeOfFailure(result, 'maap')
  const { answer } = result
  if (answer.isSuccess) return accepted(submitted)
  return answer.code === '' ? outcomeOfStatus(options, answer) : outcomeOfCode(options, submitted, answer)
}

/** Whether the answer says that the number belongs to another carrier. */
export function isMissed({ codes }: OutcomeOptions, result: CallResult): boolean {
  return result.kind === 'answer' && meaningOf(result.answer.code, codes) === 'not-subscriber'
}

function outcomeOfCode(options: OutcomeOptions, submitted: Submitted, answer: Answer): SubmitOutcome {
  const { code, text, httpStatus, retryAfterMs } = answer
  const meaning: Meaning = meaningOf(code, options.codes) ?? (httpStatus >= 500 ? 'system-error' : 'refused')
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
      // The id is our reference: the carrier has accepted this submission before.
      if (options.repeatable) return accepted(submitted)
      return { kind: 'refused', cause: 'duplicate', code, text }
    case 'agency-key':
      if (submitted.hasOwnAgencyKey) return { kind: 'refused', cause: 'unregistered-sender', code, text }
      return { kind: 'unreachable', code, text: 'the carrier refuses the agency key of the route' }
    case 'not-subscriber':
      return { kind: 'refused', cause: 'no-subscriber', code, text }
    default:
      return { kind: 'refused', cause: meaning, ...detailOf(code), code, text }
  }
}

function outcomeOfStatus({ throttleRetryMs }: OutcomeOptions, answer: Answer): SubmitOutcome {
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
      return { kind: 'unreachable', code, text: 'check the address and the login' }
    case 400:
    case 411:
    case 413:
    case 415:
      return { kind: 'refused', cause: 'failed', code, text: 'the carrier refused the request' }
    default:
      return { kind: 'unknown', code, text: 'the answer cannot be read' }
  }
}

function accepted({ id, carrier }: Submitted): SubmitOutcome {
  return { kind: 'accepted', carrierId: id, ...(carrier === undefined ? {} : { carrier }) }
}
