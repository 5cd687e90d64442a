/** What the answer to a send means for its submission, and for the account. Pure. */
import type { SubmitOutcome } from '../connector.ts'
import { codeOf, type Answer, type CallResult } from './answer.ts'
import { refusalOf } from './causes.ts'

export interface SendResult {
  readonly outcome: SubmitOutcome
  /**
   * What it says of the link. `lost`: the service cannot be reached. `account`: it refuses the account, whatever the
   * message. `channel`: it refuses the account's messages of this channel. `foreign`: something before the service
   * answered, so that the outcome holds only if the account is still accepted there.
   */
  readonly link: 'up' | 'lost' | 'account' | 'channel' | 'foreign'
}

/** Says of a 503 that nothing was accepted; Postern words it like this. */
const certainlyNot = /\bnot accepted\b|\bnothing was accepted\b/

export function readOutcome(result: CallResult, throttleRetryMs: number): SendResult {
  const code = codeOf(result)
  if (result.kind === 'not-sent') {
    const link = result.accountRefused ? 'account' : 'lost'
    return { outcome: { kind: 'unreachable', code, text: 'the request was not sent' }, link }
  }
  if (result.kind === 'no-answer')
    return { outcome: { kind: 'unknown', code, text: 'the request was sent, without an answer' }, link: 'up' }
  const answer = destinationOf(result)
  return readAnswer(answer, codeOf(answer), throttleRetryMs)
}

function readAnswer(answer: Answer, code: string, throttleRetryMs: number): SendResult {
  const { status, result: text, retryAfterMs, body } = answer
  const up = (outcome: SubmitOutcome): SendResult => ({ outcome, link: 'up' })
  const resultCode = answer.code
  if (resultCode === 'A000') {
    const { msgKey } = body
    if (typeof msgKey === 'string' && msgKey !== '') return up({ kind: 'accepted', carrierId: msgKey })
    return up({ kind: 'unknown', code, text: 'the answer has no msgKey' })
  }
  if (resultCode === 'A020' || status === 429)
    return up({ kind: 'throttled', code, retryAfterMs: retryAfterMs ?? throttleRetryMs })
  if (/^A1\d\d$/.test(resultCode) || resultCode === 'A802')
    return { outcome: { kind: 'unreachable', code, text }, link: 'account' }
  if (resultCode === 'A325') return { outcome: { kind: 'unreachable', code, text }, link: 'channel' }
  if (resultCode === 'A920' && certainlyNot.test(text))
    return up(
      retryAfterMs === null ? { kind: 'unreachable', code, text } : { kind: 'throttled', code, retryAfterMs },
    )
  // A021 and A022: an earlier request with this key may have been accepted.
  if (/^A9\d\d$|^A02[12]$/.test(resultCode) || status >= 500) return up({ kind: 'unknown', code, text })
  if (resultCode !== '') return up({ kind: 'refused', ...refusalOf(resultCode), code, text })
  return readForeign(status, code)
}

/** What a proxy answers to a request because of its content. */
export const contentRefused: readonly number[] = [400, 403, 406, 413, 414, 415, 422, 451]

/**
 * Not an answer of this API: a proxy's, or the base URL is wrong. One client's text that a firewall refuses must not stop
 * the messages of others.
 */
function readForeign(status: number, code: string): SendResult {
  const text = 'the answer is not one of the API'
  if ((status >= 200 && status < 300) || status === 408)
    return { outcome: { kind: 'unknown', code, text }, link: 'up' }
  if (contentRefused.includes(status))
    return { outcome: { kind: 'refused', cause: 'refused', code, text }, link: 'foreign' }
  return { outcome: { kind: 'unreachable', code, text }, link: 'foreign' }
}

/** Of a flow, the answer for its one destination. */
function destinationOf(answer: Answer): Answer {
  const { destinations } = (answer.body.data ?? {}) as { readonly destinations?: unknown }
  const [first] = Array.isArray(destinations) ? (destinations as readonly unknown[]) : []
  if (typeof first !== 'object' || first === null) return answer
  const body = first as Readonly<Record<string, unknown>>
  return {
    ...answer,
    body,
    code: typeof body.code === 'string' ? body.code.slice(0, 8) : answer.code,
    result: typeof body.result === 'string' ? body.result.slice(0, 256) : answer.result,
  }
}
