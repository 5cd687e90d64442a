/** Builds the request of a submission with masked keys, for `postern route try`. File references are not replaced. */
import type { SubmissionContent } from '../../../channels/rcs/submission.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Submission } from '../connector.ts'
import type { RequestPreview } from '../options/kind.ts'
import { mask } from '../options/secrets.ts'
import { carrierBody } from './carrier-request.ts'
import { listMaapCarriers } from './connector.ts'
import { withoutSlash } from './host.ts'
import { checkMaapSubmission, type MaapMessageOptions } from './message.ts'
import type { MaapOptions } from './options.ts'
import type { RelayOptions } from './relay-options.ts'
import { relayBody } from './relay-request.ts'

const masked = { agencyKey: mask, brandKey: mask }

/** Builds the request to the first carrier. */
export function previewMaap(options: MaapOptions, submission: Submission): RequestPreview {
  const content = maskContent(options, submission)
  const [first] = listMaapCarriers(options)
  const body = carrierBody({ ...options, ...masked }, submission, content, new Map(), clock.now())
  return request(options.carriers[first!]!.url, body)
}

export function previewRelay(options: RelayOptions, submission: Submission): RequestPreview {
  const content = maskContent(options, submission)
  return request(
    options.url,
    relayBody({ ...options, ...masked }, submission, content, new Map(), clock.now()),
  )
}

function maskContent(options: MaapMessageOptions, submission: Submission): SubmissionContent {
  const { message } = submission
  const refusal = checkMaapSubmission(options, submission)
  if (refusal !== null || message.channel !== 'rcs') throw new Error(refusal?.text)
  const { agencyKey, brandKey, ...rest } = message.content
  // The client's keys are secrets as well.
  return { ...rest, ...(agencyKey && { agencyKey: mask }), ...(brandKey && { brandKey: mask }) }
}

function request(url: string, body: string): RequestPreview {
  return {
    method: 'POST',
    url: `${withoutSlash(url)}/message`,
    headers: {
      authorization: `Bearer ${mask}`,
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
    },
    body,
  }
}
