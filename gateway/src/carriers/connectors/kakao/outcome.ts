/**
 * Determines the outcome of a submission from its response. A code decides, whatever the HTTP status, with two exceptions: 429
 * always throttles, and a success counts only with a 2xx. Without a code, only a status that refuses the request shows that
 * the message was not accepted.
 */
import type { SubmitOutcome } from '../connector.ts'
import { toFailureOutcome, type HttpResult } from '../http/http-client.ts'
import { parseKakaoResponse, type KakaoResponse } from './response.ts'
import { getKakaoMeaning, toReportCode, type CodeMeaning } from './codes.ts'
import type { KakaoOptions } from './options.ts'

export interface KakaoSendResult {
  readonly outcome: SubmitOutcome
  /** Kakao refuses the partner key, whatever the message. */
  readonly accountRefused: boolean
  /** The message was refused without a code: the outcome is valid only if Kakao accepts the partner key. */
  readonly doubtful: boolean
  /** The message can be submitted again, but Kakao's response may have used up the serial number. */
  readonly usedUp: boolean
  /** The success in the response, which is the result unless results are polled. */
  readonly success: { readonly code: string; readonly at: Date | null } | null
}

export function parseKakaoOutcome(
  options: KakaoOptions,
  result: HttpResult,
  carrierId: string,
): KakaoSendResult {
  const toResult = (outcome: SubmitOutcome, accountRefused = false, doubtful = false): KakaoSendResult => ({
    outcome,
    accountRefused,
    doubtful,
    usedUp: result.kind === 'answer' && (outcome.kind === 'throttled' || outcome.kind === 'unreachable'),
    success: null,
  })
  if (result.kind !== 'answer') return toResult(toFailureOutcome(result, 'kakao'))
  const { status, retryAfterMs } = result
  const answer = parseKakaoResponse(result.body)
  if (status === 429) {
    const code = answer.code === '' ? 'http:429' : answer.code
    return toResult({ kind: 'throttled', code, retryAfterMs: retryAfterMs ?? options.throttleRetryMs })
  }
  if (answer.code === '') return fromStatus(status, toResult)
  const meaning = getKakaoMeaning(options, answer.code)
  if (meaning === 'account') return toResult(unreachable(answer), true)
  const { code, at } = answer
  // A duplicate of a `repeatable` submission means that the earlier one got 0000.
  const isRepeat = meaning === 'duplicate' && options.repeatable
  if (meaning === 'accepted' || isRepeat) {
    if (status >= 200 && status < 300)
      return { ...toResult({ kind: 'accepted', carrierId }), success: { code: isRepeat ? '0000' : code, at } }
    return toResult({ kind: 'unknown', code, text: `HTTP ${status} with a success code` })
  }
  return toResult(fromMeaning(options, meaning, answer, retryAfterMs))
}

type OtherMeaning = Exclude<CodeMeaning, 'accepted' | 'account'>

function fromMeaning(
  options: KakaoOptions,
  meaning: OtherMeaning,
  answer: KakaoResponse,
  retryAfterMs: number | null,
): SubmitOutcome {
  const { code, text } = answer
  switch (meaning) {
    case 'throttled':
      return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? options.throttleRetryMs }
    case 'unreachable':
      return unreachable(answer)
    case 'unknown':
    case 'duplicate':
      // In the case of a duplicate, an earlier submission of this reference can have been accepted.
      return { kind: 'unknown', code, text }
    default:
      return { kind: 'refused', cause: meaning, reportCode: toReportCode(code), code, text }
  }
}

const unreachable = ({ code, text }: KakaoResponse): SubmitOutcome => ({ kind: 'unreachable', code, text })

function fromStatus(
  status: number,
  toResult: (outcome: SubmitOutcome, accountRefused?: boolean, doubtful?: boolean) => KakaoSendResult,
): KakaoSendResult {
  const code = `http:${status}`
  switch (status) {
    case 401:
      return toResult(
        { kind: 'unreachable', code, text: 'check url, partnerKey and the source IP address' },
        true,
      )
    // Refused content (by a firewall) or an unknown path; other messages are not affected.
    case 403:
    case 404:
    case 405:
    case 407:
      return toResult(
        { kind: 'refused', cause: 'unsupported', code, text: 'the path or the content was refused' },
        false,
        true,
      )
    case 400:
    case 411:
    case 413:
    case 415:
      return toResult({
        kind: 'refused',
        cause: 'failed',
        code,
        text: 'the request was refused without a code',
      })
    default:
      return toResult({ kind: 'unknown', code, text: 'the response has no code' })
  }
}
