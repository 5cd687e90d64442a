/** Messages and replies of a phone in chronological order. */
import type { Data } from '../../api/call.ts'

export type SandboxMessage = Data<'listSandboxMessages'>['items'][number]
export type Step = SandboxMessage['steps'][number]
export type Bubble = NonNullable<Step['bubble']>
export type Card = Bubble['cards'][number]
export type Button = Card['buttons'][number]
export type Image = Card['images'][number]
export type Reply = Data<'listSandboxReplies'>['items'][number]
export type Channel = Step['channel']

export type Entry =
  | {
      readonly kind: 'step'
      readonly id: string
      readonly at: string
      readonly message: SandboxMessage
      readonly step: Step
    }
  | { readonly kind: 'reply'; readonly id: string; readonly at: string; readonly reply: Reply }

/** Oldest first. */
export function toEntries(messages: readonly SandboxMessage[], replies: readonly Reply[]): Entry[] {
  const steps = messages.flatMap((message) =>
    message.steps.map((step): Entry => ({
      kind: 'step',
      id: `${message.msgKey}-${step.step}`,
      message,
      step,
      at: step.submittedAt,
    })),
  )
  const sent = replies.map((reply): Entry => ({ kind: 'reply', id: reply.replyKey, at: reply.at, reply }))
  return [...steps, ...sent].sort((left, right) => Date.parse(left.at) - Date.parse(right.at))
}

const kakao: readonly Channel[] = ['alimtalk', 'friendtalk', 'brandmessage']

export const isKakao = (channel: Channel): boolean => kakao.includes(channel)

/** Returns the last message that accepts a reply. Kakao messages do not: their chats do not reach the gateway. */
export function findReplyTarget(entries: readonly Entry[]): { message: SandboxMessage; step: Step } | null {
  const found = entries.findLast(
    (entry) => entry.kind === 'step' && !isKakao(entry.step.channel) && entry.step.bubble !== null,
  )
  return found?.kind === 'step' ? found : null
}

/** Formats a number in national notation: 010-1234-5678. */
export function formatNumber(number: string): string {
  const [, head, middle, tail] =
    /^(01[0-9])([0-9]{3,4})([0-9]{4})$/.exec(number) ??
    /^(02|0[3-9][0-9])([0-9]{3,4})([0-9]{4})$/.exec(number) ??
    []
  if (tail !== undefined) return `${head}-${middle}-${tail}`
  const [, first, last] = /^(1[0-9]{3})([0-9]{4})$/.exec(number) ?? []
  return last === undefined ? number : `${first}-${last}`
}

export interface PressedButton {
  readonly button: Button
  readonly message: SandboxMessage
  readonly step: Step
}
