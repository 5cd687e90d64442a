/** Builds the request of a submission with the partner key masked, for `postern route try`. Image URLs are not replaced. */
import type { Submission } from '../connector.ts'
import type { RequestPreview } from '../options/kind.ts'
import type { KakaoOptions } from './options.ts'
import { sendHeaders, toKakaoMessage, toKakaoRequest } from './request.ts'
import { serialBase } from './serial.ts'

export function previewKakao(options: KakaoOptions, submission: Submission): RequestPreview {
  const message = toKakaoMessage(options, submission)
  if ('kind' in message) throw new Error(message.text)
  const masked = { ...options, partnerKey: '***' }
  const { url, body } = toKakaoRequest(
    masked,
    message,
    submission,
    serialBase(submission.reference),
    new Map(),
  )
  return { method: 'POST', url, headers: sendHeaders, body }
}
