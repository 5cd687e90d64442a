/**
 * Determines the outcome of a submission from Google's response. Only a response that shows that nothing was accepted is
 * `unreachable`. A repeat with the same messageId is harmless, so every uncertain result is `unknown`, which dispatch repeats.
 */
import type { Cause } from '../../../channels/cause.ts'
import type { SubmitOutcome } from '../connector.ts'
import { toFields, parseObject, readString } from '../http/json.ts'
import type { RbmOptions } from './options.ts'

type Meaning = 'accepted' | 'throttled' | 'unreachable' | 'unknown' | Exclude<Cause, 'delivered'>

export interface StatusRow {
  readonly meaning: Meaning
  readonly http: number
  readonly source: string
}

const sendGuide = 'guide "Send messages"'
const codes = 'google.rpc.Code'

/** Meanings by `error.status`, with their sources. */
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

/** Returns null if the body is not an error of a Google API. */
export function parseApiError(body: Buffer): ApiError | null {
  const { error } = parseObject(body.toString()) ?? {}
  const { status, message } = toFields(error)
  const name = readString(status)
  return /^[A-Z_]{1,64}$/.test(name)
    ? { status: name, message: readString(message).slice(0, maxMessage) }
    : null
}

const maxMessage = 256

export type RbmOutcomeOptions = Pick<
  RbmOptions,
  'duplicateStatus' | 'recipientLimitText' | 'statuses' | 'throttleRetryMs'
>

export interface RbmResponse {
  readonly status: number
  readonly body: Buffer
  readonly retryAfterMs: number | null
}

export function toRbmOutcome(
  options: RbmOutcomeOptions,
  answer: RbmResponse,
  messageId: string,
): SubmitOutcome {
  const { status, body, retryAfterMs } = answer
  if (status === 200) {
    // A page of a proxy is not an acceptance: the response must contain the message id.
    const { name } = parseObject(body.toString()) ?? {}
    if (readString(name).toLowerCase().endsWith(`/${messageId}`))
      return { kind: 'accepted', carrierId: messageId }
    return { kind: 'unknown', code: 'rbm:answer', text: 'the response does not contain the message id' }
  }
  const error = parseApiError(body)
  if (error === null) return fromForeignStatus(options, status, retryAfterMs)
  const { status: code, message: text } = error
  const meaning = findMeaning(options, error, status)
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

function findMeaning(options: RbmOutcomeOptions, { status, message }: ApiError, http: number): Meaning {
  const { duplicateStatus, recipientLimitText, statuses } = options
  if (status === duplicateStatus) return 'accepted'
  const override = Object.hasOwn(statuses, status) ? (statuses[status] as Meaning) : undefined
  if (override !== undefined) return override
  if (status === 'RESOURCE_EXHAUSTED' && recipientLimitText !== '' && message.includes(recipientLimitText))
    return 'refused'
  if (Object.hasOwn(statusTable, status)) return statusTable[status]!.meaning
  return http >= 500 ? 'unknown' : 'failed'
}

/** Handles a response that is not from the API: from a proxy, or the URL is wrong. */
function fromForeignStatus(
  { throttleRetryMs }: RbmOutcomeOptions,
  status: number,
  retryAfterMs: number | null,
): SubmitOutcome {
  const code = `http:${status}`
  if (status === 429) return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? throttleRetryMs }
  const text = 'the response is not from the API'
  if (status >= 300 && status < 500) return { kind: 'unreachable', code, text }
  return { kind: 'unknown', code, text }
}
