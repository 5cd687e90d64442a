/**
 * The outcome of a submission from Google's answer. The table is data; its sources are named beside it. Only an answer
 * that shows that nothing was accepted is `unreachable`; a repeat with the same messageId is harmless, so all that is
 * uncertain is `unknown`, which dispatch repeats. Pure.
 */
import type { Cause } from '../../channels/cause.ts'
import type { SubmitOutcome } from '../connector.ts'
import { fieldsOf, parseObject, textOf } from '../json.ts'
import type { RbmOptions } from './options.ts'

type Meaning = 'accepted' | 'throttled' | 'unreachable' | 'unknown' | Exclude<Cause, 'delivered'>

export interface StatusRow {
  readonly meaning: Meaning
  readonly http: number
  readonly source: string
}

const sendGuide = 'guide "Send messages"'
const codes = 'google.rpc.Code'

/** By `error.status`. */
export const statusTable: Readonly<Record<string, StatusRow>> = {
  INVALID_ARGUMENT: { http: 400, meaning: 'unsupported', source: `${sendGuide}: the device lacks a feature` },
  FAILED_PRECONDITION: { http: 400, meaning: 'refused', source: codes },
  OUT_OF_RANGE: { http: 400, meaning: 'unsupported', source: codes },
  UNAUTHENTICATED: { http: 401, meaning: 'unreachable', source: `${codes}: the token, after a renewal` },
  PERMISSION_DENIED: {
    http: 403,
    meaning: 'unreachable',
    source: 'rbm-api-examples#24: a missing or foreign agentId',
  },
  NOT_FOUND: {
    http: 404,
    meaning: 'unsupported',
    source: `${sendGuide}: no RCS, or the agent is not launched on the network`,
  },
  ABORTED: { http: 409, meaning: 'unknown', source: codes },
  RESOURCE_EXHAUSTED: { http: 429, meaning: 'throttled', source: codes },
  CANCELLED: { http: 499, meaning: 'unknown', source: codes },
  INTERNAL: { http: 500, meaning: 'unknown', source: codes },
  UNKNOWN: { http: 500, meaning: 'unknown', source: codes },
  DATA_LOSS: { http: 500, meaning: 'unknown', source: codes },
  UNIMPLEMENTED: { http: 501, meaning: 'unreachable', source: codes },
  UNAVAILABLE: { http: 503, meaning: 'unknown', source: codes },
  DEADLINE_EXCEEDED: { http: 504, meaning: 'unknown', source: codes },
}

export interface ApiError {
  readonly status: string
  readonly message: string
}

/** Null when the body is not an error of a Google API. */
export function readError(body: Buffer): ApiError | null {
  const { error } = parseObject(body.toString()) ?? {}
  const { status, message } = fieldsOf(error)
  const name = textOf(status)
  return /^[A-Z_]{1,64}$/.test(name) ? { status: name, message: textOf(message).slice(0, maxMessage) } : null
}

const maxMessage = 256

export type OutcomeOptions = Pick<
  RbmOptions,
  'duplicateStatus' | 'recipientLimitText' | 'statuses' | 'throttleRetryMs'
>

export interface Answer {
  readonly status: number
  readonly body: Buffer
  readonly retryAfterMs: number | null
}

export function outcomeOf(options: OutcomeOptions, answer: Answer, messageId: string): SubmitOutcome {
  const { status, body, retryAfterMs } = answer
  if (status === 200) {
    // A page of a proxy is not an acceptance: the answer names the message.
    const { name } = parseObject(body.toString()) ?? {}
    if (textOf(name).toLowerCase().endsWith(`/${messageId}`))
      return { kind: 'accepted', carrierId: messageId }
    return { kind: 'unknown', code: 'rbm:answer', text: 'the answer does not name the message' }
  }
  const error = readError(body)
  if (error === null) return outcomeOfForeign(options, status, retryAfterMs)
  const { status: code, message: text } = error
  const meaning = meaningOf(options, error, status)
  switch (meaning) {
    case 'accepted':
      return { kind: 'accepted', carrierId: messageId }
    case 'throttled':
      return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? options.throttleRetryMs }
    case 'unreachable':
    case 'unknown':
      return { kind: meaning, code, text }
    default:
      return { kind: 'refused', cause: meaning, code, text }
  }
}

function meaningOf(options: OutcomeOptions, { status, message }: ApiError, http: number): Meaning {
  const { duplicateStatus, recipientLimitText, statuses } = options
  if (status === duplicateStatus) return 'accepted'
  const own = Object.hasOwn(statuses, status) ? (statuses[status] as Meaning) : undefined
  if (own !== undefined) return own
  if (status === 'RESOURCE_EXHAUSTED' && recipientLimitText !== '' && message.includes(recipientLimitText))
    return 'refused'
  if (Object.hasOwn(statusTable, status)) return statusTable[status]!.meaning
  return http >= 500 ? 'unknown' : 'failed'
}

/** Not of the API: a proxy's, or the address is wrong. */
function outcomeOfForeign(
  { throttleRetryMs }: OutcomeOptions,
  status: number,
  retryAfterMs: number | null,
): SubmitOutcome {
  const code = `http:${status}`
  if (status === 429) return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? throttleRetryMs }
  const text = 'the answer is not one of the API'
  if (status >= 300 && status < 500) return { kind: 'unreachable', code, text }
  return { kind: 'unknown', code, text }
}
