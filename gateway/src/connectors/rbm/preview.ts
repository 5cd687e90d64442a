/** The request of a submission without its token, for `postern route try`. Files are named by their keys. Pure. */
import { clock } from '../../platform/clock.ts'
import type { Submission } from '../connector.ts'
import type { RequestPreview } from '../kind.ts'
import { expireTimeOf } from './expiry.ts'
import { toAgentMessage } from './message.ts'
import { messageIdOf } from './message-id.ts'
import { agentOf, baseUrlOf, type RbmOptions } from './options.ts'
import { toE164 } from '../phone-number.ts'
import { messageRequest } from './requests.ts'

export function previewRbm(options: RbmOptions, submission: Submission): RequestPreview {
  const { message, to, reference } = submission
  if (message.channel !== 'rcs') throw new Error('the protocol rbm sends RCS messages only')
  const number = toE164(to, options.countryCode)
  const agentId = agentOf(options, message.content.brandKey)
  if (number === null) throw new Error('the recipient has no international form')
  if (agentId === undefined) throw new Error('the brand has no agent: set agentId or agents')
  const expireTime = expireTimeOf(options, submission, clock.now())
  const agentMessage = toAgentMessage(options, message.content, expireTime, (key) => `files/${key}`)
  const { method, url, headers, body } = messageRequest(number, messageIdOf(reference), agentId, agentMessage)
  return {
    method,
    url: baseUrlOf(options) + url,
    headers: { authorization: 'Bearer ***', ...headers },
    body: String(body),
  }
}
