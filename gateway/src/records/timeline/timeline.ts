/**
 * The story of one message in order, in plain words: accepted, held, routed, submitted, answered, receipts, fallback,
 * deadline, close with what its code means. Pure: the same rows tell the same story to an operator and to a client.
 */
import type { ChannelName } from '../../channels/channel.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { channels } from '../../channels/registry.ts'
import { meaningOf } from '../../channels/report-codes.ts'
import { describeTry, describeWaiting } from './attempts.ts'
import type { TimelineEvent, TimelineOptions } from './event.ts'
import type { AttemptRow, MessageRow, TimelineRows } from './rows.ts'

interface EndedStep {
  readonly step: number
  readonly code: string
  readonly at: Date
}

export function describeMessage(rows: TimelineRows, options: TimelineOptions): TimelineEvent[] {
  const { message, open, waiting, attempts, parked } = rows
  const ended = endedSteps(rows)
  const events: TimelineEvent[] = message === null ? [] : [tellAccepted(message, options)]
  const steps = message?.channels.length ?? 0
  for (let step = 1; step <= steps; step++) {
    const own = attempts.filter((attempt) => attempt.step === step)
    if (step > 1 && (own.length > 0 || open?.step === step || ended.some((end) => end.step === step))) {
      events.push(tellFallback(step, message!.channels, ended, own, options))
    }
    // A row may outlive its use by a moment: only what the message is at now can still wait.
    const held = waiting.filter((row) => row.step === step && step === open?.step && row.try === open.try)
    events.push(...held.map(describeWaiting))
    events.push(...byTry(own).flatMap(describeTry))
    const end = ended.find((candidate) => candidate.step === step)
    if (end !== undefined) events.push(...tellEnd(end, message!.channels[step - 1]!, own))
  }
  for (const { id, stage, reason, parkedAt } of parked) {
    const text = `parked by ${stage} as ${id} (${reason ?? `see the log of ${stage}`}); \`postern parked show ${id}\``
    events.push({ at: parkedAt, kind: 'parked', step: null, text, details: { id, stage, reason } })
  }
  events.push(...tellNow(rows, ended.at(-1)?.at, options))
  // Stable: what happened at the same moment stays in the order of the flow.
  return events.sort((left, right) => left.at.getTime() - right.at.getTime())
}

function tellAccepted(
  { clientId, accountId, recipient, channels: flow, hasRef, acceptedAt }: MessageRow,
  { reveal }: TimelineOptions,
): TimelineEvent {
  const account = clientId ?? `number ${accountId}, which is gone`
  const to = reveal ? recipient : maskNumber(recipient)
  return {
    at: acceptedAt,
    kind: 'accepted',
    step: null,
    text: `accepted from account ${account} to ${to}, ${hasRef ? 'with' : 'without'} a ref: ${flow.join(', then ')}`,
    details: { account: clientId, recipient: to, hasRef, flow: flow.join(',') },
  }
}

/**
 * Of a closed message from its reports, of an open one from what it carries along. A report has the carrier's time,
 * often cut to the minute: told is when we knew.
 */
function endedSteps({ open, reports, attempts }: TimelineRows): EndedStep[] {
  const ends: EndedStep[] =
    reports.length > 0
      ? reports.map(({ step, code, reportedAt }) => ({ step, code, at: reportedAt }))
      : (open?.results ?? []).map(({ step, channel, cause, at }) => ({
          step,
          code: channels[channel].reportCode(cause).code,
          at: new Date(at),
        }))
  return ends.map((end) => {
    const heard = attempts.filter(({ step, late }) => step === end.step && !late)
    const times = heard.map(({ receivedAt, submittedAt }) => (receivedAt ?? submittedAt).getTime())
    return { ...end, at: new Date(Math.max(end.at.getTime(), ...times)) }
  })
}

function tellFallback(
  step: number,
  flow: readonly ChannelName[],
  ended: readonly EndedStep[],
  own: readonly AttemptRow[],
  { now }: TimelineOptions,
): TimelineEvent {
  const at = ended.find((end) => end.step === step - 1)?.at ?? own[0]?.submittedAt ?? now
  const text = `falls back to step ${step}, ${flow[step - 1]}`
  return { at, kind: 'fallback', step, text, details: { channel: flow[step - 1]! } }
}

function byTry(attempts: readonly AttemptRow[]): AttemptRow[][] {
  const tries = new Map<number, AttemptRow[]>()
  for (const attempt of attempts) tries.set(attempt.try, [...(tries.get(attempt.try) ?? []), attempt])
  return [...tries.values()]
}

function tellEnd(end: EndedStep, channel: ChannelName, own: readonly AttemptRow[]): TimelineEvent[] {
  const { step, code, at } = end
  const meaning = meaningOf(code, 'en')
  const events: TimelineEvent[] = []
  const timedOut = code === channels[channel].reportCode('timeout').code
  const unknown = code === channels[channel].reportCode('outcome-unknown').code
  // A carrier may say "timeout" itself; then its receipt ended the step, and no deadline of ours.
  if ((timedOut || unknown) && !own.some(({ result, late }) => result === 'failed' && !late)) {
    const heard = own.length === 0 ? 'it had never been submitted' : 'no receipt had come'
    events.push({ at, kind: 'deadline', step, text: `its deadline passed; ${heard}`, details: { code } })
  }
  const text = `${channel} ended with ${code}${meaning === null ? '' : `: ${meaning.text}`}`
  events.push({ at, kind: 'ended', step, text, details: { code, channel } })
  return events
}

/** How it stands: closed, and what that means; or open, and until when. */
function tellNow(
  { message, open, reports }: TimelineRows,
  endedAt: Date | undefined,
  { now }: TimelineOptions,
): TimelineEvent[] {
  const last = reports.at(-1)
  if (last !== undefined) {
    const { code, text, step, closedAt } = last
    const meaning = meaningOf(code, 'en')
    const why = meaning === null ? '' : ` ${meaning.cause} To do: ${meaning.action}`
    return [
      {
        // The row has the beginning of its transaction; its last step ended within.
        at: new Date(Math.max(closedAt.getTime(), endedAt?.getTime() ?? 0)),
        kind: 'closed',
        step,
        text: `closed with ${code}, ${meaning?.text ?? text}.${why}`,
        details: {
          code,
          text,
          cause: meaning?.cause ?? null,
          action: meaning?.action ?? null,
          reports: reports.length,
        },
      },
    ]
  }
  if (message === null || open === null) return []
  const { step, state, dueAt } = open
  const doing = state === 'submitting' ? 'is with its carrier or about to be' : 'waits for its route'
  return [
    {
      at: now,
      kind: 'open',
      step,
      text: `open: step ${step} of ${message.channels.length} ${doing}; its deadline is ${dueAt.toISOString()}`,
      details: { state, try: open.try, dueAt: dueAt.toISOString() },
    },
  ]
}
