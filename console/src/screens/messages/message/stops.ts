/**
 * Converts the events of a message to stops on its timeline. Parts of one attempt are one stop, a route belongs to its
 * submission, and the end of the last step is the close.
 */
import type { Operations } from '../../../generated/operations.ts'

export type Message = Operations['showMessage']['data']
export type TimelineEvent = Message['events'][number]
export type StopKind = Exclude<TimelineEvent['kind'], 'routed' | 'fallback'>
export type StopTone = 'calm' | 'ok' | 'waits' | 'warn' | 'bad'

export interface Stop {
  readonly id: string
  readonly kind: StopKind
  /** Step number, starting at 1. */
  readonly lane: number
  readonly atMs: number
  readonly events: readonly TimelineEvent[]
  readonly tone: StopTone
  /** A receipt that arrived after its step had ended; drawn off the main path. */
  readonly aside: boolean
}

export const deliveredCode = '10000'
export const cancelledCode = '90010'

export function toStops(message: Pick<Message, 'events'>): readonly Stop[] {
  const stops: Stop[] = []
  const closedStep = message.events.find(({ kind }) => kind === 'closed')?.step
  let lane = 1
  for (const event of message.events) {
    const { kind } = event
    const step = event.step ?? lane
    const aside = kind === 'receipt' && event.details.late === true
    // A late receipt of an earlier step does not change the current lane.
    if (!aside) lane = step
    if (kind === 'routed' || kind === 'fallback') continue
    if (kind === 'ended' && step === closedStep) continue
    const index = stops.findIndex((stop) => belongsTo(stop, event, step, aside))
    if (index >= 0) stops[index] = extend(stops[index]!, event)
    else
      stops.push({
        id: `${kind}-${step}-${stops.length}`,
        kind,
        lane: step,
        aside,
        atMs: Date.parse(event.at),
        events: [event],
        tone: eventTone(event),
      })
  }
  return stops.sort((left, right) => left.atMs - right.atMs)
}

function belongsTo(stop: Stop, event: TimelineEvent, lane: number, aside: boolean): boolean {
  if (stop.lane !== lane || stop.aside !== aside) return false
  // A step that ended at its deadline is a single stop.
  if (event.kind === 'ended') return stop.kind === 'deadline'
  if (event.kind !== stop.kind || (event.kind !== 'submitted' && event.kind !== 'receipt')) return false
  return stop.events[0]!.details.try === event.details.try
}

/** Merges an event: the stop has the time of its first submission or last receipt, and the worst tone of its events. */
function extend(stop: Stop, event: TimelineEvent): Stop {
  const atMs = stop.kind === 'receipt' ? Math.max(stop.atMs, Date.parse(event.at)) : stop.atMs
  const tone = worst(stop.tone, event.kind === 'ended' ? stop.tone : eventTone(event))
  return { ...stop, atMs, tone, events: [...stop.events, event] }
}

const order: readonly StopTone[] = ['calm', 'ok', 'waits', 'warn', 'bad']

function worst(left: StopTone, right: StopTone): StopTone {
  return order.indexOf(left) > order.indexOf(right) ? left : right
}

function eventTone({ kind, details }: TimelineEvent): StopTone {
  if (kind === 'held' || kind === 'open') return 'waits'
  if (kind === 'deadline' || kind === 'parked') return 'bad'
  if (kind === 'submitted')
    return details.outcome === 'accepted' ? 'calm' : details.outcome === 'unknown' ? 'warn' : 'bad'
  if (kind === 'receipt') {
    if (details.late === true || details.deliveredTwice === true || isRepeated(details)) return 'warn'
    return details.result === 'delivered' ? 'calm' : 'bad'
  }
  if (kind === 'ended' || kind === 'closed')
    return isFailedCode(details.code) ? 'bad' : details.code === deliveredCode ? 'ok' : 'calm'
  return 'calm'
}

/** A cancelled message does not count as failed. */
export function isFailedCode(code: unknown): boolean {
  return code !== deliveredCode && code !== cancelledCode
}

export function isRepeated(details: TimelineEvent['details']): boolean {
  return typeof details.receipts === 'number' && details.receipts > 1
}

export interface LaneState {
  readonly step: number
  readonly channel: string
  /** Report code of the step, or null if it has not ended. */
  readonly code: string | null
  readonly state: 'ended' | 'under way' | 'not used'
}

export function toLanes(message: Pick<Message, 'events' | 'channels'>): readonly LaneState[] {
  const { events, channels } = message
  return channels.map((channel, index) => {
    const step = index + 1
    const end = events.find((event) => event.kind === 'ended' && event.step === step)
    const reached = step === 1 || events.some((event) => event.step === step)
    const state = end !== undefined ? 'ended' : reached ? 'under way' : 'not used'
    return { step, channel, state, code: end === undefined ? null : String(end.details.code) }
  })
}
