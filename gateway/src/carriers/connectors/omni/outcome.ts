/** Determines the outcome of a submission from the response to a send, and its meaning for the account. */
import type { SubmitOutcome } from '../connector.ts'
import { getOmniCode, type OmniResponse, type OmniCallResult } from './response.ts'
import { getOmniRefusal } from './causes.ts'

export interface OmniSendResult {
  readonly outcome: SubmitOutcome
  /**
   * State of the link. `lost`: the service is unreachable. `account`: it refuses the account, whatever the message. `channel`: it
   * refuses the account's messages of this channel. `foreign`: a proxy before the service responded, so the outcome is valid
   * only if the service still accepts the account.
   */
  readonly link: 'up' | 'lost' | 'account' | 'channel' | 'foreign'
}

export function parseOmniOutcome(result: OmniCallResult, throttleRetryMs: number): OmniSendResult {
  const code = getOmniCode(result)
  if (result.kind === 'not-sent') {
    const link = result.accountRefused ? 'account' : 'lost'
    return { outcome: { kind: 'unreachable', code, text: 'the request was not sent' }, link }
  }
  if (result.kind === 'no-answer')
    return { outcome: { kind: 'unknown', code, text: 'no response' }, link: 'up' }
  const answer = selectDestination(result)
  return readAnswer(answer, getOmniCode(answer), throttleRetryMs)
}

function readAnswer(answer: OmniResponse, code: string, throttleRetryMs: number): OmniSendResult {
  const { status, result: text, retryAfterMs, body } = answer
  const up = (outcome: SubmitOutcome): OmniSendResult => ({ outcome, link: 'up' })
  const resultCode = answer.code
  if (resultCode === 'A000') {
    const { msgKey } = body
    if (typeof msgKey === 'string' && msgKey !== '') return up({ kind: 'accepted', carrierId: msgKey })
    return up({ kind: 'unknown', code, text: 'the response has no msgKey' })
  }
  if (resultCode === 'A020' || status === 429)
    return up({ kind: 'throttled', code, retryAfterMs: retryAfterMs ?? throttleRetryMs })
  if (/^A1\d\d$/.test(resultCode) || resultCode === 'A802')
    return { outcome: { kind: 'unreachable', code, text }, link: 'account' }
  if (resultCode === 'A325') return { outcome: { kind: 'unreachable', code, text }, link: 'channel' }
  if (resultCode === 'A920' && answer.isNotAccepted)
    return up(
      retryAfterMs === null ? { kind: 'unreachable', code, text } : { kind: 'throttled', code, retryAfterMs },
    )
  // A021 and A022: an earlier request with this key is possibly accepted.
  if (/^A9\d\d$|^A02[12]$/.test(resultCode) || status >= 500) return up({ kind: 'unknown', code, text })
  if (resultCode !== '') return up({ kind: 'refused', ...getOmniRefusal(resultCode), code, text })
  return readForeign(status, code)
}

/** Statuses with which a proxy refuses a request because of its content. */
export const contentRefused: readonly number[] = [400, 403, 406, 413, 414, 415, 422, 451]

/**
 * Handles a response that is not from this API: from a proxy, or the base URL is wrong. A text of one client that a firewall
 * refuses must not stop the messages of others.
 */
function readForeign(status: number, code: string): OmniSendResult {
  const text = 'the response is not from the API'
  if ((status >= 200 && status < 300) || status === 408)
    return { outcome: { kind: 'unknown', code, text }, link: 'up' }
  if (contentRefused.includes(status))
    return { outcome: { kind: 'refused', cause: 'refused', code, text }, link: 'foreign' }
  return { outcome: { kind: 'unreachable', code, text }, link: 'foreign' }
}

/** Returns the result of the only destination of a flow, or the response itself. */
function selectDestination(answer: OmniResponse): OmniResponse {
  const { destinations } = (answer.body.data ?? {}) as { readonly destinations?: unknown }
  const [first] = Array.isArray(destinations) ? (destinations as readonly unknown[]) : []
  if (typeof first !== 'object' || first === null) return answer
  const body = first as Readonly<Record<string, unknown>>
  return {
    ...answer,
    body,
    code: typeof body.code === 'string' ? body.code.slice(0, 8) : answer.code,
    result: typeof body.result === 'string' ? body.result.slice(0, 256) : answer.result,
    isNotAccepted: body.acceptance === 'no',
  }
}
