/** Describes timeline events and stops in the operator's language. */
import type { Language } from '../../../../preferences/languages.ts'
import { formatDuration, formatTime } from '../../../../texts/format.ts'
import type { CodeMeaning } from '../../use-codes.ts'
import { isRepeated, type Stop, type TimelineEvent } from '../stops.ts'
import type { messageTexts } from '../texts.ts'
import type { eventTexts } from './texts.ts'

export interface Words {
  readonly t: (typeof eventTexts)['en']
  readonly m: (typeof messageTexts)['en']
  readonly language: Language
  readonly codes: ReadonlyMap<string, CodeMeaning>
}

/** Formats short durations precisely: `240 ms`, `2.4 s`; longer ones as `formatDuration`. */
export function formatGap(ms: number, language: Language): string {
  const gap = language === 'ko' ? '' : ' '
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))}${gap}ms`
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)}${gap}${language === 'ko' ? '초' : 's'}`
  return formatDuration(ms / 1_000, language)
}

export function nameChannel({ m }: Pick<Words, 'm'>, channel: unknown): string {
  const texts = m as unknown as Readonly<Record<string, string | undefined>>
  return texts[`channel-${String(channel)}`] ?? String(channel)
}

/** Returns the label above a stop. */
export function stopLabel(stop: Stop, { t }: Words): string {
  if (stop.aside) return t.late
  if (stop.kind === 'submitted') {
    const outcomes = stop.events.map((event) => event.details.outcome)
    if (outcomes.includes('refused')) return t.refused
    return outcomes.includes('unknown') ? t.unknown : t['stop-submitted']
  }
  if (stop.kind === 'receipt')
    return stop.events.every((event) => event.details.result === 'delivered') ? t.delivered : t.failed
  return t[`stop-${stop.kind}`]
}

/** Returns the detail below a stop, such as a code or an ID; may be empty. */
export function stopNote(stop: Stop, words: Words): string {
  const { t } = words
  const { details } = stop.events[0]!
  const code = (value: unknown): string => (typeof value === 'string' ? value : '')
  switch (stop.kind) {
    case 'submitted':
      return stop.events.length > 1 ? t.parts(stop.events.length) : code(details.code)
    case 'receipt':
      if (details.deliveredTwice === true) return t.twice
      return isRepeated(details) ? t.repeated(Number(details.receipts)) : code(details.code)
    case 'closed':
    case 'ended':
      return code(details.code)
    case 'deadline':
      return code(stop.events.find(({ kind }) => kind === 'ended')?.details.code)
    case 'held':
      return typeof details.rule === 'string' ? details.rule : String(details.reason)
    case 'parked':
      return `${String(details.stage)} ${String(details.id)}`
    default:
      return ''
  }
}

/** Describes an event in a sentence. `eventRemark` adds explanations of the gateway. */
export function describeEvent(event: TimelineEvent, words: Words): string {
  const { t, language } = words
  const { details } = event
  const time = (value: unknown): string => formatTime(String(value), language)
  switch (event.kind) {
    case 'accepted': {
      const flow = String(details.flow).split(',')
      const account = typeof details.account === 'string' ? details.account : t.deletedAccount
      return t.accepted(account, flow.map((channel) => nameChannel(words, channel)).join(t.then))
    }
    case 'held':
      return describeHeld(details, words)
    case 'routed':
      return t.routed(String(details.route))
    case 'submitted':
      return partPrefix(details, words) + describeSubmission(details, words)
    case 'receipt':
      return partPrefix(details, words) + describeReceipt(details, words)
    case 'deadline':
      return t.deadline
    case 'ended':
      return (
        t.ended(nameChannel(words, details.channel), String(details.code)) + codeMeaning(details.code, words)
      )
    case 'fallback':
      return t.fallback(event.step ?? 0, nameChannel(words, details.channel))
    case 'parked':
      return t.parked(String(details.stage), String(details.id))
    case 'open':
      return (details.state === 'claimed' ? t.openSubmitted : t.openWaits)(time(details.dueAt))
    case 'closed':
      return t.closed(String(details.code)) + codeMeaning(details.code, words)
  }
}

type Details = TimelineEvent['details']

function codeMeaning(code: unknown, { codes }: Words): string {
  const meaning = codes.get(String(code))
  return meaning === undefined ? '' : `: ${meaning.text}`
}

function partPrefix({ part, parts }: Details, { t }: Words): string {
  return typeof parts === 'number' && parts > 1 && Number(part) > 0 ? t.partOf(Number(part), parts) : ''
}

function describeHeld(details: Details, words: Words): string {
  const { t, language } = words
  const reason = holdReason(details, words)
  if (typeof details.heldMs === 'number') return t.heldFor(formatGap(details.heldMs, language), reason)
  if (typeof details.releaseAt !== 'string') return t.held(reason)
  const { releaseAt } = details
  return (
    t.held(reason) +
    (lastsUntilDecision(releaseAt) ? t.untilDecided : t.notBefore(formatTime(releaseAt, language)))
  )
}

/** Reports whether a hold lasts until an operator decides: its release time is then in the year 9999. */
export function lastsUntilDecision(releaseAt: string): boolean {
  return releaseAt.startsWith('9999')
}

export function holdReason(details: Details, { t }: Pick<Words, 't'>): string {
  const reason = String(details.reason)
  // The API omits the names of rules for clients.
  if (reason === 'rule')
    return typeof details.rule === 'string' ? t['reason-rule'](details.rule) : t['reason-checked']
  const texts = t as unknown as Readonly<Record<string, string | undefined>>
  return texts[`reason-${reason}`] ?? reason
}

function describeSubmission({ outcome, code, carrierId }: Details, { t }: Words): string {
  const ended = typeof code === 'string' ? t.withCode(code) : ''
  if (outcome === 'refused') return t.submitRefused + ended
  if (outcome === 'unknown') return t.submitUnknown + ended
  return typeof carrierId === 'string' ? t.submittedAs(carrierId) : t.submitted
}

function describeReceipt(details: Details, { t }: Words): string {
  const code = typeof details.code === 'string' ? details.code : t.noCode
  return [
    details.result === 'delivered' ? t.receiptDelivered(code) : t.receiptFailed(code),
    ...(details.late === true ? [t.isLate] : []),
    ...(details.deliveredTwice === true ? [t.isTwice] : []),
    ...(isRepeated(details) ? [t.isRepeated(Number(details.receipts))] : []),
  ].join('')
}

/** Returns the English explanation of the gateway, such as why a route was chosen, or null. */
export function eventRemark({ kind, details }: TimelineEvent): string | null {
  const text =
    kind === 'routed' || kind === 'parked' ? details.reason : kind === 'receipt' ? details.cause : null
  return typeof text === 'string' && text !== 'delivered' ? text : null
}
