/**
 * Builds the HTTP request of a submission for `postern route try`, with the bearer token masked. Keys of uploaded files
 * stay those of this gateway, because a preview uploads nothing to the service.
 */
import { clock } from '../../../platform/time/clock.ts'
import type { Submission } from '../connector.ts'
import type { RequestPreview } from '../options/kind.ts'
import type { OmniOptions } from './options.ts'
import { toOmniRequest } from './request.ts'

export function previewOmni(options: OmniOptions, submission: Submission): RequestPreview {
  const { url, idempotency } = options
  const { path, body } = toOmniRequest(submission, new Map(), clock.now(), options)
  return {
    method: 'POST',
    url: url.replace(/\/+$/, '') + path,
    headers: {
      authorization: 'Bearer ***',
      'content-type': 'application/json',
      ...(idempotency ? { 'idempotency-key': submission.reference } : {}),
    },
    body,
  }
}
