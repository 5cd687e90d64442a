/**
 * The events of a message as stops on its way, a lane for each step of its flow: parts of one try are one stop, a route belongs to its
 * submission, and what ended at the close is the close. Pure.
 */
import type { Operations } from '../../../generated/operations.ts'

export type Message = Operations['showMessage']['data']
export type TimelineEvent = Message['events'][number]
export type StopKind = Exclude<TimelineEvent['kind'], 'routed' | 'fallback'>
export type StopTone = 'calm' | 'ok' | 'waits' | 'warn' | 'bad'

export interface Stop {
  readonly id: string
  readonly kind: StopKind
  /** The step, from 1. */
  readonly lane: number
  readonly atMs: number
  readonly events: readonly TimelineEvent[]
  readonly tone: StopTone
  /** A receipt that came after the end of its step: beside the way that the message took. */
  readonly aside: boolean
}

export const deliveredCode = '10000'
const cancelledCode = '90010'

export function toStops(message: Pick<Message, 'events'>): readonly Stop[] {
  const stops: Stop[] = []
  const closedStep = message.events.find(({ kind }) => kind === 'closed')?.step
  let lane = 1
  for (const event of message.events) {
    const { kind } = event
    const own = event.step ?? lane
    const aside = kind === 'receipt' && event.details.late === true
    // A late receipt of an earlier step does not move the message back.
    if (!aside) lane = own
    if (kind === 'routed' || kind === 'fallback') continue
    if (kind === 'ended' && own === closedStep) continue
    const index = stops.findIndex((stop) => belongsTo(stop, event, own, aside))
    if (index >= 0) stops[index] = extend(stops[index]!, event)
    else
      stops.push({
        ...{ id: `${kind}-${own}-${stops.length}`, kind, lane: own, aside },
        ...{ atMs: Date.parse(event.at), events: [event], tone: toneOf(event) },
      })
  }
  return stops.sort((left, right) => left.atMs - right.atMs)
}

function belongsTo(stop: Stop, event: TimelineEvent, lane: number, aside: boolean): boolean {
  if (stop.lane !== lane || stop.aside !== aside) return false
  // The end of a step that its deadline caused.
  if (event.kind === 'ended') return stop.kind === 'deadline'
  if (event.kind !== stop.kind || (event.kind !== 'submitted' && event.kind !== 'receipt')) return false
  return stop.events[0]!.details.try === event.details.try
}

/** The first submission of a try begins it, its last receipt decides. */
function extend(stop: Stop, event: TimelineEvent): Stop {
  const atMs = stop.kind === 'receipt' ? Math.max(stop.atMs, Date.parse(event.at)) : stop.atMs
  const tone = worst(stop.tone, event.kind === 'ended' ? stop.tone : toneOf(event))
  return { ...stop, atMs, tone, events: [...stop.events, event] }
}

const order: readonly StopTone[] = ['calm', 'ok', 'waits', 'warn', 'bad']

function worst(left: StopTone, right: StopTone): StopTone {
  return order.indexOf(left) > order.indexOf(right) ? left : right
}

function toneOf({ kind, details }: TimelineEvent): StopTone {
  if (kind === 'held' || kind === 'open') return 'waits'
  if (kind === 'deadline' || kind === 'parked') return 'bad'
  if (kind === 'submitted')
    return details.outcome === 'accepted' ? 'calm' : details.outcome === 'unknown' ? 'warn' : 'bad'
  if (kind === 'receipt') {
    if (details.late === true || details.deliveredTwice === true || isRepeated(details)) return 'warn'
    return details.result === 'delivered' ? 'calm' : 'bad'
  }
  if (kind === 'ended' || kind === 'closed')
    return failedCode(details.code) ? 'bad' : details.code === deliveredCode ? 'ok' : 'calm'
  return 'calm'
}

/** A message that its sender has cancelled is nothing that is wrong. */
export function failedCode(code: unknown): boolean {
  return code !== deliveredCode && code !== cancelledCode
}

export function isRepeated(details: TimelineEvent['details']): boolean {
  return typeof details.receipts === 'number' && details.receipts > 1
}

export interface LaneState {
  readonly step: number
  readonly channel: string
  /** Report code of its end; null while it has none. */
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
