/** GET /admin/v1/messages/{msgKey}: the timeline of one message. */
import { Type } from 'typebox'
import { requireMsgKey, showMessage } from '../../acts/messages.ts'
import { maskUrl } from '../../acts/webhooks.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { clock } from '../../platform/clock.ts'
import { readFound } from '../../records/messages/search.ts'
import { eventsForClient } from '../../records/timeline/client.ts'
import type { TimelineRows, WaitingRow } from '../../records/timeline/rows.ts'
import { pushStates, readMessagePushes } from '../../webhooks/message-pushes.ts'
import { hideCauseOfPush } from '../../webhooks/without-response.ts'
import { flag, internal, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { defineOperation, looks } from '../operation.ts'

const Event = record(
  {
    at: time('When it happened'),
    kind: oneOf(
      [
        'accepted',
        'held',
        'routed',
        'submitted',
        'receipt',
        'deadline',
        'ended',
        'fallback',
        'parked',
        'open',
        'closed',
      ],
      'What happened',
    ),
    step: nullable(whole('The step of the flow that it belongs to')),
    text: internal(text('The same in words, with what it means and what to do')),
    details: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
      { description: 'The facts of the text; they depend on the kind' },
    ),
  },
  'An event of a message',
  { title: 'MessageEvent' },
)

const Attempt = record(
  {
    step: whole('Step of the flow'),
    try: whole('Try of the step'),
    part: whole('Part of the text; 0: all at once'),
    parts: whole('Number of parts'),
    route: internal(text('Id of the route, or of a share of it')),
    routeReason: internal(nullable(text('Why this route was chosen'))),
    heldReason: internal(nullable(text('Why it waited before'))),
    heldMs: nullable(whole('How long it waited, in milliseconds')),
    submittedAt: time('When it was submitted'),
    outcome: oneOf(['accepted', 'refused', 'unknown'], "The carrier's answer"),
    outcomeCode: nullable(text("Code of the carrier's answer")),
    carrierId: internal(nullable(text("The carrier's id"))),
    result: nullable(oneOf(['delivered', 'failed'], 'What the receipt says; null without one')),
    cause: nullable(text('Cause of a failure')),
    receiptCode: nullable(text("The receipt's code")),
    resultAt: nullable(time("When it was delivered or failed, by the carrier's clock")),
    receivedAt: nullable(time('When the receipt arrived')),
    receipts: whole('How many receipts arrived'),
    late: flag('The receipt came after the end of the step'),
    deliveredTwice: flag('The recipient received another step or try as well'),
  },
  'A submission to a carrier, with its receipt',
  { title: 'MessageAttempt' },
)

const Push = record(
  {
    webhookId: text('Id of the webhook'),
    url: text('Where it pushes, without path and query'),
    step: whole('Step whose report is pushed'),
    state: oneOf(
      pushStates,
      'disabled: it waits until the webhook is enabled; earlier: the report is older than the webhook; forgotten: the report is older than 3 days',
    ),
    tries: nullable(whole('Tries that failed; null when none is stored')),
    triedAt: nullable(time('The last try that is known')),
    retryAt: nullable(time('When it is tried again')),
    httpStatus: nullable(whole('HTTP status of the last answer that is known')),
    error: text('Why the last try failed; empty when it did not, or is not known'),
  },
  'A push of a report of the message',
  { title: 'MessagePush' },
)

export const showOperation = defineOperation({
  id: 'showMessage',
  method: 'get',
  path: '/admin/v1/messages/{msgKey}',
  tag: 'Messages',
  summary: 'Show what became of a message',
  description:
    'Its timeline in words, and each attempt with its receipt. The text of the message is never shown. A client sees neither routes nor lanes, nor the ids of carriers.',
  access: looks(),
  client: 'own',
  action: 'message show',
  command: { examples: ['2026111502322500000ABCDEFGHIJKLM'] },
  params: { msgKey: text('Key of the message', { minLength: 1, maxLength: 100 }) },
  query: {
    reveal: Type.Optional(
      flag('true: show whole phone numbers; needs the right _reveal_ and a reason, and is recorded'),
    ),
  },
  data: record(
    {
      msgKey: text('Key of the message'),
      account: nullable(text('Client id of its account')),
      recipient: nullable(text('Recipient: its last digits, unless it is revealed')),
      ref: nullable(text("The client's reference")),
      acceptedAt: nullable(time('When it was accepted')),
      channels: list(text('A channel'), 'Channels of its steps, in their order'),
      state: oneOf(['open', 'closed', 'parked'], 'parked: it was never recorded'),
      events: list(Event, 'What happened, in order'),
      attempts: list(Attempt, 'Submissions, in order'),
      pushes: list(Push, 'Pushes of its reports to the webhooks of its account'),
      mayCancel: flag('Whether it waits for its scheduled time, and can be cancelled'),
      awaitsDecision: flag('Whether a rule holds it until an operator decides'),
    },
    'A message',
    { title: 'Message' },
  ),
  run: async ({ params: { msgKey }, query: { reveal = false } }, { database, audit, signed, services }) => {
    requireMsgKey(msgKey)
    const { rows, events } = await showMessage(database, audit, services.config, msgKey, reveal)
    const { message, attempts } = rows
    const isClient = signed.account !== null
    const pushes = await readMessagePushes(database, msgKey, clock.date())
    const waiting = currentlyWaiting(rows)
    return {
      msgKey: rows.msgKey,
      account: message?.clientId ?? null,
      recipient: message === null ? null : reveal ? message.recipient : maskNumber(message.recipient),
      ref: message?.hasRef === true ? ((await readFound(database, [msgKey]))[0]?.ref ?? null) : null,
      acceptedAt: message?.acceptedAt ?? null,
      channels: [...(message?.channels ?? [])],
      state: stateOf(rows),
      events: isClient ? eventsForClient(events) : [...events],
      attempts: attempts.map(({ routeId: route, ...attempt }) => ({ ...attempt, route })),
      pushes: (isClient ? pushes.map(hideCauseOfPush) : pushes).map(maskUrl),
      mayCancel: waiting?.scheduled ?? false,
      awaitsDecision: waiting?.awaitsDecision ?? false,
    }
  },
})

/** A row may remain for a moment after its release. */
function currentlyWaiting({ open, waiting }: TimelineRows): WaitingRow | undefined {
  if (open?.state !== 'unclaimed') return undefined
  return waiting.find((row) => row.step === open.step && row.try === open.try)
}

function stateOf({ message, open }: TimelineRows): 'open' | 'closed' | 'parked' {
  if (message === null) return 'parked'
  return open === null ? 'closed' : 'open'
}
