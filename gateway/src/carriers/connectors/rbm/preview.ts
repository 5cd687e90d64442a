/** Builds the request of a submission without its token, for `postern route try`. Files appear by their keys. */
import { clock } from '../../../platform/time/clock.ts'
import type { Submission } from '../connector.ts'
import type { RequestPreview } from '../options/kind.ts'
import { computeExpireTime } from './expiry.ts'
import { toAgentMessage } from './message.ts'
import { toRbmMessageId } from './message-id.ts'
import { findAgent, getBaseUrl, type RbmOptions } from './options.ts'
import { toE164 } from '../phone-number.ts'
import { messageRequest } from './requests.ts'

export function previewRbm(options: RbmOptions, submission: Submission): RequestPreview {
  const { message, to, reference } = submission
  if (message.channel !== 'rcs') throw new Error('protocol rbm supports only RCS messages')
  const number = toE164(to, options.countryCode)
  const agentId = findAgent(options, message.content.brandKey)
  if (number === null) throw new Error('the recipient has no international form')
  if (agentId === undefined) throw new Error('the brand has no agent: set agentId or agents')
  const expireTime = computeExpireTime(options, submission, clock.now())
  const agentMessage = toAgentMessage(options, message.content, expireTime, (key) => `files/${key}`)
  const { method, url, headers, body } = messageRequest(
    number,
    toRbmMessageId(reference),
    agentId,
    agentMessage,
  )
  return {
    method,
    url: getBaseUrl(options) + url,
    headers: { authorization: 'Bearer ***', ...headers },
    body: String(body),
  }
}
