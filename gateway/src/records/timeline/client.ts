/**
 * The timeline of a message for its client: steps, times, outcome, the meaning of the code and the next
 * action. Contains neither the text of the message nor the route.
 */
import { channels } from '../../channels/registry.ts'
import { explainReportCode } from '../../channels/report-codes.ts'
import type { Language } from '../../channels/report-meaning.ts'
import type { FormatTime } from '../../contract/times.ts'
import { clientTexts, openAction } from './client-texts.ts'
import type { TimelineEvent } from './event.ts'
import type { TimelineRows } from './rows.ts'
import { describeMessage } from './timeline.ts'

export interface ClientOptions {
  readonly language: Language
  readonly formatTime: FormatTime
  readonly now: Date
}

export interface ClientTimeline {
  readonly msgKey: string
  readonly to: string
  readonly state: 'open' | 'closed'
  readonly outcome?: { code: string; text: string; cause: string; action: string }
  readonly action: string
  readonly steps: readonly ClientStep[]
  readonly events: readonly ClientEvent[]
}

interface ClientStep {
  readonly step: number
  readonly serviceType: string
  readonly state: 'to come' | 'under way' | 'ended'
  readonly code?: string
  readonly text?: string
}

interface ClientEvent {
  readonly at: string
  readonly step?: number
  readonly kind: string
  readonly text: string
  readonly carrierCode?: string
}

/** Returns null if the message does not exist. */
export function describeForClient(rows: TimelineRows, options: ClientOptions): ClientTimeline | null {
  const { message, msgKey, reports } = rows
  if (message === null) return null
  const { language, now } = options
  const events = describeMessage(rows, { reveal: false, now })
  const last = reports.at(-1)
  const outcome = last === undefined ? undefined : explain(last.code, last.text, language)
  return {
    msgKey,
    to: message.recipient,
    state: last === undefined ? 'open' : 'closed',
    ...(outcome === undefined ? {} : { outcome }),
    action: outcome?.action ?? openAction[language],
    steps: message.channels.map((channel, index) => ({
      step: index + 1,
      serviceType: channels[channel].serviceType,
      ...stepState(rows, events, index + 1, language),
    })),
    events: events.flatMap((event) => toClientEvent(event, options)),
  }
}

function explain(code: string, text: string, language: Language): NonNullable<ClientTimeline['outcome']> {
  const meaning = explainReportCode(code, language)
  return { code, text: meaning?.text ?? text, cause: meaning?.cause ?? '', action: meaning?.action ?? '' }
}

function stepState(
  { open }: TimelineRows,
  events: readonly TimelineEvent[],
  step: number,
  language: Language,
): Omit<ClientStep, 'step' | 'serviceType'> {
  const end = events.find((event) => event.kind === 'ended' && event.step === step)
  if (end === undefined) return { state: open?.step === step ? 'under way' : 'to come' }
  const code = String(end.details.code)
  return { state: 'ended', code, text: explainReportCode(code, language)?.text ?? '' }
}

/** Details hidden from clients: how the gateway works, and the actions of its operators. */
const internalDetails = new Set(['route', 'lane', 'carrierId', 'rule', 'stage', 'id'])
/** Wait reasons that clients see; any other is shown as a queue. */
const clientReasons = new Set(['scheduled', 'retry', 'rule'])

export function reasonForClient(reason: string): string {
  return clientReasons.has(reason) ? reason : 'queue'
}

/** Returns the events without internal details and without text, for the console, which has its own texts. */
export function eventsForClient(events: readonly TimelineEvent[]): TimelineEvent[] {
  return events.flatMap((event) => {
    const { kind, details } = event
    if (kind === 'routed') return []
    if (kind === 'parked') return [{ ...event, kind: 'held', text: '', details: { reason: 'operator' } }]
    const facts = Object.entries(details).filter(([name]) => !internalDetails.has(name))
    const reason = kind === 'held' ? { reason: reasonForClient(String(details.reason)) } : {}
    return [{ ...event, text: '', details: { ...Object.fromEntries(facts), ...reason } }]
  })
}

function toClientEvent(event: TimelineEvent, { language, formatTime }: ClientOptions): ClientEvent[] {
  const { at, kind, step, details } = event
  // Routes are internal, and the steps already show how a step ended.
  if (kind === 'routed' || kind === 'ended') return []
  const fromCarrier = kind === 'submitted' || kind === 'receipt'
  return [
    {
      at: formatTime(at),
      ...(step === null ? {} : { step }),
      kind: kind === 'parked' ? 'held' : kind,
      text: clientTexts[language][kind](event),
      ...(fromCarrier && typeof details.code === 'string' ? { carrierCode: details.code } : {}),
    },
  ]
}
