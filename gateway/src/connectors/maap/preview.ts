/** The request of a submission with its keys masked and our files as they are named here, for `postern route try`. Pure. */
import type { SubmissionContent } from '../../channels/rcs/submission.ts'
import { clock } from '../../platform/clock.ts'
import type { Submission } from '../connector.ts'
import type { RequestPreview } from '../kind.ts'
import { carrierBody } from './carrier-request.ts'
import { carriersOf } from './connector.ts'
import { withoutSlash } from './host.ts'
import { refusalOf, type MessageOptions } from './message.ts'
import type { MaapOptions } from './options.ts'
import type { RelayOptions } from './relay-options.ts'
import { relayBody } from './relay-request.ts'

const masked = { agencyKey: '***', brandKey: '***' }

/** To the first carrier. */
export function previewMaap(options: MaapOptions, submission: Submission): RequestPreview {
  const content = contentOf(options, submission)
  const [first] = carriersOf(options)
  const body = carrierBody({ ...options, ...masked }, submission, content, new Map(), clock.now())
  return request(options.carriers[first!]!.url, body)
}

export function previewRelay(options: RelayOptions, submission: Submission): RequestPreview {
  const content = contentOf(options, submission)
  return request(
    options.url,
    relayBody({ ...options, ...masked }, submission, content, new Map(), clock.now()),
  )
}

function contentOf(options: MessageOptions, submission: Submission): SubmissionContent {
  const { message } = submission
  const refusal = refusalOf(options, submission)
  if (refusal !== null || message.channel !== 'rcs') throw new Error(refusal?.text)
  const { agencyKey, brandKey, ...rest } = message.content
  // The client’s keys are secrets, too.
  return { ...rest, ...(agencyKey && masked), ...(brandKey && { brandKey: '***' }) }
}

function request(url: string, body: string): RequestPreview {
  return {
    method: 'POST',
    url: `${withoutSlash(url)}/message`,
    headers: {
      authorization: 'Bearer ***',
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
    },
    body,
  }
}
