/** The send that a submission would make, for `postern route try`: without the token, and with our files as they are named here. */
import { clock } from '../../platform/clock.ts'
import type { Submission } from '../connector.ts'
import type { RequestPreview } from '../kind.ts'
import type { OmniOptions } from './options.ts'
import { toRequest } from './request.ts'

export function previewOmni(options: OmniOptions, submission: Submission): RequestPreview {
  const { url, idempotency } = options
  const { path, body } = toRequest(submission, new Map(), clock.now(), options)
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
