/** Messages as the commands print them, over either way. Pure. */
import { timeText, type Result } from '../result.ts'

interface ShownEvent {
  readonly at: Date | string
  readonly kind: string
  readonly step: number | null
  readonly text: string
  readonly details: Readonly<Record<string, unknown>>
}

interface FoundMessage {
  readonly msgKey: string
  readonly acceptedAt: Date | string
  readonly open: boolean
}

export function timelineResult(msgKey: string, events: readonly ShownEvent[]): Result {
  const lines = events.map(
    ({ at, step, text }) => `${timeText(at)}  ${step === null ? '      ' : `step ${step}`}  ${text}`,
  )
  return { json: { msgKey, events }, lines: [msgKey, ...lines] }
}

export function foundResult(clientId: string, messages: readonly FoundMessage[]): Result {
  const lines = messages.map(
    ({ msgKey, acceptedAt, open }) => `${timeText(acceptedAt)}  ${msgKey}  ${open ? 'open' : 'closed'}`,
  )
  return {
    json: { clientId, messages },
    lines: lines.length > 0 ? lines : ['no stored message of the account to this number'],
  }
}

export function cancelledResult(msgKey: string): Result {
  return {
    json: { msgKey, cancelled: true },
    lines: [`${msgKey}: cancelled; its client gets a report with 90010`],
  }
}
