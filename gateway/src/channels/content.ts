/**
 * The content of a step as a connector receives it, typed by channel: texts normalized, defaults explicit.
 * Dispatch converts it for each submission that needs it.
 */
import type { SubmissionContent as AlimtalkContent } from './alimtalk/alimtalk.ts'
import type { SubmissionContent as BrandmessageContent } from './brandmessage/brandmessage.ts'
import type { ChannelName, Step } from './channel.ts'
import type { SubmissionContent as FriendtalkContent } from './friendtalk/friendtalk.ts'
import type { SubmissionContent as MmsContent } from './mms/mms.ts'
import type { SubmissionContent as RcsContent } from './rcs/submission.ts'
import { channels } from './registry.ts'
import { requireTextStep } from './text-channel.ts'

export interface TextContent {
  readonly text: string
}

export interface ContentByChannel {
  readonly sms: TextContent
  readonly international: TextContent
  readonly mms: MmsContent
  readonly rcs: RcsContent
  readonly alimtalk: AlimtalkContent
  readonly friendtalk: FriendtalkContent
  readonly brandmessage: BrandmessageContent
}

/** A union discriminated by `channel`. */
export type ChannelContent = {
  readonly [C in ChannelName]: { readonly channel: C; readonly content: ContentByChannel[C] }
}[ChannelName]

export function toChannelContent(step: Step): ChannelContent {
  if (step.channel === 'sms' || step.channel === 'international')
    return { channel: step.channel, content: { text: requireTextStep(step).text } }
  const [part] = channels[step.channel].parts(step, '')
  if (part?.kind !== 'rich') throw new TypeError(`a ${step.channel} step has no content`)
  return { channel: step.channel, content: part.content } as ChannelContent
}

/** Returns the code of the operator that first accepted the message, if the client sent one. */
export function getOriginCid(step: Step): string | undefined {
  if ('text' in step) return step.originCid
  const { originCID } = step.content as { readonly originCID?: string }
  return originCID
}
