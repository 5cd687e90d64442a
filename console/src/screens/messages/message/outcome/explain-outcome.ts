/** Explains the state of a message and what to do next. */
import type { Language } from '../../../../preferences/languages.ts'
import { formatTime } from '../../../../texts/format.ts'
import type { Tone } from '../../../../components/Badge.tsx'
import { holdReason, type Words } from '../events/event-words.ts'
import { cancelledCode, deliveredCode, type Message } from '../stops.ts'
import type { outcomeTexts } from './texts.ts'

export interface OutcomeText {
  readonly tone: Tone
  readonly title: string
  readonly cause: string
  readonly action: string
}

type Texts = (typeof outcomeTexts)['en']

/** A worker ends due steps every second; only a step that is later than this is shown as overdue. */
const overdueAfterMs = 2_000

export function explainOutcome(message: Message, t: Texts, words: Words, nowMs: number): OutcomeText {
  const closed = message.events.find(({ kind }) => kind === 'closed')
  if (closed !== undefined) return explainCode(String(closed.details.code), closed.details.text, t, words)
  if (message.events.some(({ kind }) => kind === 'parked'))
    return { tone: 'bad', title: t.parked, cause: t.parkedCause, action: t.parkedDo }
  return explainOpen(message, t, words, nowMs)
}

function explainCode(code: string, stored: unknown, t: Texts, { codes }: Words): OutcomeText {
  const meaning = codes.get(code)
  const tone = code === deliveredCode ? 'ok' : code === cancelledCode ? 'idle' : 'bad'
  if (meaning === undefined)
    return {
      tone,
      title: String(stored),
      cause: codes.size === 0 ? '' : t.unknownCode,
      action: t.unknownCodeDo,
    }
  return { tone, title: meaning.text, cause: meaning.cause, action: meaning.action }
}

function explainOpen(message: Message, t: Texts, words: Words, nowMs: number): OutcomeText {
  const open = message.events.find(({ kind }) => kind === 'open')
  const dueAt = String(open?.details.dueAt)
  const held = message.events.findLast(({ kind, details }) => kind === 'held' && 'releaseAt' in details)
  if (Date.parse(dueAt) < nowMs - overdueAfterMs)
    return { tone: 'bad', title: t.overdue, cause: t.overdueCause, action: t.overdueDo }
  if (held !== undefined) return explainHeld(message, held.details, t, words)
  if (open?.details.state !== 'claimed')
    return { tone: 'info', title: t.waits, cause: t.waitsCause, action: t.waitsDo }
  const last = message.attempts.at(-1)
  const action = t.submittedDo(time(dueAt, words.language))
  return last?.outcome === 'unknown'
    ? { tone: 'warn', title: t.noAnswer, cause: t.noAnswerCause, action }
    : { tone: 'info', title: t.submitted, cause: t.submittedCause, action }
}

function explainHeld(
  { awaitsDecision }: Message,
  details: Message['events'][number]['details'],
  t: Texts,
  words: Words,
): OutcomeText {
  if (awaitsDecision)
    return {
      tone: 'warn',
      title: t.decision,
      cause: t.decisionCause(String(details.rule)),
      action: t.decisionDo,
    }
  if (details.reason === 'scheduled')
    return {
      tone: 'info',
      title: t.scheduled,
      cause: t.scheduledCause(time(String(details.releaseAt), words.language)),
      action: t.scheduledDo,
    }
  return { tone: 'info', title: t.held, cause: t.heldCause(holdReason(details, words)), action: t.heldDo }
}

function time(at: string, language: Language): string {
  return formatTime(at, language)
}
