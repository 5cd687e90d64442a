/**
 * The timeline of one message: its events in order, each with a text for operators and the same facts as
 * details. `client.ts` derives the client's view from the details.
 */
import type { ChannelName } from '../../channels/channel.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { channels } from '../../channels/registry.ts'
import { explainReportCode } from '../../channels/report-codes.ts'
import { describeTry, describeWaiting } from './attempts.ts'
import type { TimelineEvent, TimelineOptions } from './event.ts'
import type { TimelineAttempt, TimelineMessage, TimelineRows } from './rows.ts'

interface EndedStep {
  readonly step: number
  readonly code: string
  readonly at: Date
}

export function describeMessage(rows: TimelineRows, options: TimelineOptions): TimelineEvent[] {
  const { message, open, waiting, attempts, parked } = rows
  const ended = endedSteps(rows)
  const events: TimelineEvent[] = message === null ? [] : [acceptedEvent(message, options)]
  const steps = message?.channels.length ?? 0
  for (let step = 1; step <= steps; step++) {
    const stepAttempts = attempts.filter((attempt) => attempt.step === step)
    if (
      step > 1 &&
      (stepAttempts.length > 0 || open?.step === step || ended.some((end) => end.step === step))
    ) {
      events.push(fallbackEvent(step, message!.channels, ended, stepAttempts, options))
    }
    // A row can remain for a moment after its release: only the current step and try can still wait.
    const held = waiting.filter((row) => row.step === step && step === open?.step && row.try === open.try)
    events.push(...held.map(describeWaiting))
    events.push(...byTry(stepAttempts).flatMap(describeTry))
    const end = ended.find((candidate) => candidate.step === step)
    if (end !== undefined) events.push(...endEvents(end, message!.channels[step - 1]!, stepAttempts))
  }
  for (const { id, stage, reason, parkedAt } of parked) {
    const text = `parked by ${stage} as ${id} (${reason ?? `see the log of ${stage}`})`
    events.push({ at: parkedAt, kind: 'parked', step: null, text, details: { id, stage, reason } })
  }
  events.push(...stateEvents(rows, ended.at(-1)?.at, options))
  // The sort is stable: events of the same moment stay in the order of the flow.
  return events.sort((left, right) => left.at.getTime() - right.at.getTime())
}

function acceptedEvent(
  { clientId, accountId, recipient, channels: flow, hasRef, acceptedAt }: TimelineMessage,
  { reveal }: TimelineOptions,
): TimelineEvent {
  const account = clientId ?? `number ${accountId}, which no longer exists`
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
 * Returns the ended steps: of a closed message from its reports, of an open one from its in-flight row. A
 * report has the carrier's time, often cut to the minute, so an end is shown no earlier than the receipt that
 * caused it.
 */
function endedSteps({ open, reports, attempts }: TimelineRows): EndedStep[] {
  const ends: EndedStep[] =
    reports.length > 0
      ? reports.map(({ step, code, reportedAt }) => ({ step, code, at: reportedAt }))
      : (open?.results ?? []).map(({ step, channel, cause, reportCode, at }) => ({
          step,
          code: channels[channel].reportCode(cause, reportCode).code,
          at: new Date(at),
        }))
  return ends.map((end) => {
    const inTime = attempts.filter(({ step, late }) => step === end.step && !late)
    const times = inTime.map(({ receivedAt, submittedAt }) => (receivedAt ?? submittedAt).getTime())
    return { ...end, at: new Date(Math.max(end.at.getTime(), ...times)) }
  })
}

function fallbackEvent(
  step: number,
  flow: readonly ChannelName[],
  ended: readonly EndedStep[],
  stepAttempts: readonly TimelineAttempt[],
  { now }: TimelineOptions,
): TimelineEvent {
  const at = ended.find((end) => end.step === step - 1)?.at ?? stepAttempts[0]?.submittedAt ?? now
  const text = `falls back to step ${step}, ${flow[step - 1]}`
  return { at, kind: 'fallback', step, text, details: { channel: flow[step - 1]! } }
}

function byTry(attempts: readonly TimelineAttempt[]): TimelineAttempt[][] {
  const tries = new Map<number, TimelineAttempt[]>()
  for (const attempt of attempts) tries.set(attempt.try, [...(tries.get(attempt.try) ?? []), attempt])
  return [...tries.values()]
}

function endEvents(
  end: EndedStep,
  channel: ChannelName,
  stepAttempts: readonly TimelineAttempt[],
): TimelineEvent[] {
  const { step, code, at } = end
  const meaning = explainReportCode(code, 'en')
  const events: TimelineEvent[] = []
  const timedOut = code === channels[channel].reportCode('timeout').code
  const unknown = code === channels[channel].reportCode('outcome-unknown').code
  // If the carrier itself reported "timeout", its receipt ended the step, not the gateway's deadline.
  if ((timedOut || unknown) && !stepAttempts.some(({ result, late }) => result === 'failed' && !late)) {
    const state = stepAttempts.length === 0 ? 'it was never submitted' : 'no receipt had arrived'
    events.push({ at, kind: 'deadline', step, text: `its deadline passed; ${state}`, details: { code } })
  }
  const text = `${channel} ended with ${code}${meaning === null ? '' : `: ${meaning.text}`}`
  events.push({ at, kind: 'ended', step, text, details: { code, channel } })
  return events
}

/** Describes the current state: closed and the meaning of its code, or open and its deadline. */
function stateEvents(
  { message, open, reports }: TimelineRows,
  endedAt: Date | undefined,
  { now }: TimelineOptions,
): TimelineEvent[] {
  const last = reports.at(-1)
  if (last !== undefined) {
    const { code, text, step, closedAt } = last
    const meaning = explainReportCode(code, 'en')
    const explanation = meaning === null ? '' : ` ${meaning.cause} Next: ${meaning.action}`
    return [
      {
        // The row has the start time of its transaction; its last step ended within that transaction.
        at: new Date(Math.max(closedAt.getTime(), endedAt?.getTime() ?? 0)),
        kind: 'closed',
        step,
        text: `closed with ${code}, ${meaning?.text ?? text}.${explanation}`,
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
  const doing = state === 'claimed' ? 'is submitted or about to be' : 'waits for its route'
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
