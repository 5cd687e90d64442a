/** Shows the timeline of one message (GET /admin/v1/messages/{msgKey}). */
import { Type } from 'typebox'
import { requireMsgKey, showMessage } from './messages.ts'
import { maskUrl } from '../webhooks/webhooks.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { clock } from '../../platform/time/clock.ts'
import { readFoundMessages } from '../../records/messages/search.ts'
import { eventsForClient } from '../../records/timeline/client.ts'
import type { TimelineRows, TimelineWaiting } from '../../records/timeline/rows.ts'
import { pushStates, readMessagePushes } from '../../edge/webhooks/push/message-pushes.ts'
import { redactPushError } from '../../edge/webhooks/push/without-response.ts'
import { flag, internal, list, nullable, oneOf, record, text, time, whole } from '../fields.ts'
import { defineOperation, personalDataAccess } from '../operation.ts'

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
    step: nullable(whole('Step of the flow')),
    text: internal(text('Description, with meaning and next step')),
    details: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
      { description: 'Values of the description, by kind of event' },
    ),
  },
  'An event of a message',
  { title: 'MessageEvent' },
)

const Attempt = record(
  {
    step: whole('Step of the flow'),
    try: whole('Try of the step, from 1'),
    part: whole('Part of the text; 0 means the whole text'),
    parts: whole('Number of parts'),
    route: internal(text('ID of the route, or of a share of it')),
    routeReason: internal(nullable(text('Why this route was chosen'))),
    heldReason: internal(nullable(text('Why it waited'))),
    heldMs: nullable(whole('How long it waited, in milliseconds')),
    submittedAt: time('When it was submitted'),
    outcome: oneOf(['accepted', 'refused', 'unknown'], 'Response of the carrier'),
    outcomeCode: nullable(text("Code of the carrier's response")),
    carrierId: internal(nullable(text("The carrier's id"))),
    result: nullable(oneOf(['delivered', 'failed'], 'Result in the receipt; null without receipt')),
    cause: nullable(text('Cause of a failure')),
    receiptCode: nullable(text("The receipt's code")),
    resultAt: nullable(time("When it was delivered or failed, by the carrier's clock")),
    receivedAt: nullable(time('When the receipt arrived')),
    receipts: whole('Number of receipts'),
    late: flag('Whether the receipt arrived after the end of the step'),
    deliveredTwice: flag('Whether the recipient also received another step or try'),
  },
  'A submission to a carrier, with its receipt',
  { title: 'MessageAttempt' },
)

const Push = record(
  {
    webhookId: text('Id of the webhook'),
    url: text('URL without path and query'),
    step: whole('Step of the pushed report'),
    state: oneOf(
      pushStates,
      'disabled: waits until the webhook is enabled; earlier: the report is older than the webhook; forgotten: the report is older than 3 days',
    ),
    tries: nullable(whole('Failed attempts; null if none is stored')),
    triedAt: nullable(time('Time of the last known attempt')),
    retryAt: nullable(time('Time of the next attempt')),
    httpStatus: nullable(whole('HTTP status of the last known response')),
    error: text('Why the last attempt failed; empty if it did not fail or is unknown'),
  },
  'A pushed report of the message',
  { title: 'MessagePush' },
)

export const showOperation = defineOperation({
  id: 'showMessage',
  method: 'get',
  path: '/admin/v1/messages/{msgKey}',
  tag: 'Messages',
  summary: 'Show the timeline of a message',
  description:
    'Returns its events with descriptions, and each attempt with its receipt. The text of the message is never shown. Clients see no routes, lanes or carrier IDs.',
  access: personalDataAccess(),
  client: 'own',
  action: 'message show',
  command: { examples: ['2026111502322500000ABCDEFGHIJKLM'] },
  params: { msgKey: text('Key of the message', { minLength: 1, maxLength: 100 }) },
  query: {
    reveal: Type.Optional(
      flag('Show whole phone numbers; requires the right _reveal_ and a reason, and is recorded'),
    ),
  },
  data: record(
    {
      msgKey: text('Key of the message'),
      account: nullable(text('Client ID of its account')),
      recipient: nullable(text('Recipient; only the last digits unless revealed')),
      ref: nullable(text("The client's reference")),
      acceptedAt: nullable(time('Time of acceptance')),
      channels: list(text('A channel'), 'Channels of its steps, in order'),
      state: oneOf(['open', 'closed', 'parked'], 'parked: never recorded'),
      events: list(Event, 'Events, in order'),
      attempts: list(Attempt, 'Submissions, in order'),
      pushes: list(Push, 'Pushes of its reports to the webhooks of its account'),
      mayCancel: flag('Whether it waits for its scheduled time and can be cancelled'),
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
      ref: message?.hasRef === true ? ((await readFoundMessages(database, [msgKey]))[0]?.ref ?? null) : null,
      acceptedAt: message?.acceptedAt ?? null,
      channels: [...(message?.channels ?? [])],
      state: getState(rows),
      events: isClient ? eventsForClient(events) : [...events],
      attempts: attempts.map(({ routeId: route, ...attempt }) => ({ ...attempt, route })),
      pushes: (isClient ? pushes.map(redactPushError) : pushes).map(maskUrl),
      mayCancel: waiting?.scheduled ?? false,
      awaitsDecision: waiting?.awaitsDecision ?? false,
    }
  },
})

/** Ignores a row that remains for a moment after its release. */
function currentlyWaiting({ open, waiting }: TimelineRows): TimelineWaiting | undefined {
  if (open?.state !== 'unclaimed') return undefined
  return waiting.find((row) => row.step === open.step && row.try === open.try)
}

function getState({ message, open }: TimelineRows): 'open' | 'closed' | 'parked' {
  if (message === null) return 'parked'
  return open === null ? 'closed' : 'open'
}
