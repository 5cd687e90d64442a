/** Behaviours selected by the last four digits of the recipient; send.ts carries them out. */
import { chooseByEnding } from '../shared/endings.ts'
import type { EndingRow } from '../shared/endings.ts'
import type { ErrorStatus } from './errors.ts'
import type { EventKind } from './events.ts'

export interface Behaviour extends EndingRow {
  /** Refuses the first `tries` attempts with the same content. */
  readonly refuse?: { readonly status: ErrorStatus; readonly tries: number }
  readonly answer:
    | 'at once'
    | 'slowly'
    | 'never'
    | 'by disconnecting'
    | 'after its event'
    | 'HTTP 500'
    | 'broken JSON'
  /** If false, the message is discarded as if it had never arrived. */
  readonly accepts: boolean
  readonly events: readonly EventKind[]
  /** Whether all events have the same id. */
  readonly sameEventId: boolean
  readonly late: boolean
  /** Whether events are sent only for a message with a lifetime. */
  readonly expires: boolean
  /** Whether the events are sent when the lifetime ends. */
  readonly atExpiry?: boolean
}

type Change = Partial<Omit<Behaviour, 'ending' | 'summary'>>

const base = { answer: 'at once', accepts: true, events: ['DELIVERED'], sameEventId: false } as const

function row(ending: string, summary: string, change: Change = {}): Behaviour {
  return { ending, summary, ...base, late: false, expires: false, ...change }
}

const always = Infinity

function refused(status: ErrorStatus, tries = always): Change {
  return { refuse: { status, tries } }
}

export const behaviours: readonly [Behaviour, ...Behaviour[]] = [
  row('0001', 'Delivered: `DELIVERED`. Default for all other numbers.'),
  row('0002', 'No RCS: 404 `NOT_FOUND`, including its capabilities.', refused('NOT_FOUND')),
  row('0003', 'Offline: accepted without an event. It can be revoked.', { events: [] }),
  row('0004', 'Delivered; the event is sent twice with the same `eventId`.', {
    events: ['DELIVERED', 'DELIVERED'],
    sameEventId: true,
  }),
  row('0005', 'Delivered; the event is sent before the response.', { answer: 'after its event' }),
  row('0006', 'Expired: `TTL_EXPIRATION_REVOKED` when the message has a lifetime, otherwise no event.', {
    events: ['TTL_EXPIRATION_REVOKED'],
    expires: true,
  }),
  row('0007', 'Delivered, then the user opts out: the text `STOP` and `UNSUBSCRIBE`.', {
    events: ['DELIVERED', 'STOP', 'UNSUBSCRIBE'],
  }),
  row('0008', 'Refused: 400 `INVALID_ARGUMENT`, handset lacks a feature.', refused('INVALID_ARGUMENT')),
  row('0009', 'Throttled once, then delivered: 429 `RESOURCE_EXHAUSTED`.', refused('RESOURCE_EXHAUSTED', 1)),
  row('0010', 'Throttled five times, then delivered.', refused('RESOURCE_EXHAUSTED', 5)),
  row('0011', 'Delivered; the response arrives after `--slow-ms`.', { answer: 'slowly' }),
  row('0012', 'Disconnects after accepting the message; the event follows.', { answer: 'by disconnecting' }),
  row('0013', 'Disconnects without accepting the message.', { answer: 'by disconnecting', accepts: false }),
  row('0014', 'Delivered, then read: `DELIVERED`, then `READ`.', { events: ['DELIVERED', 'READ'] }),
  row('0015', 'Delivered; the event arrives after `--late-ms`. It can be revoked until then.', {
    late: true,
  }),
  row('0016', 'Read, without `DELIVERED`.', { events: ['READ'] }),
  row('0017', '500 `INTERNAL` once, then delivered.', refused('INTERNAL', 1)),
  row('0018', 'Accepted without a response; the event follows.', { answer: 'never' }),
  row('0019', 'Refused: 403 `PERMISSION_DENIED`.', refused('PERMISSION_DENIED')),
  row(
    '0020',
    'Uncertain: `TTL_EXPIRATION_REVOKE_FAILED` when the message has a lifetime, otherwise no event.',
    { events: ['TTL_EXPIRATION_REVOKE_FAILED'], expires: true },
  ),
  row('0021', 'Read, then delivered: `READ` comes before `DELIVERED`.', { events: ['READ', 'DELIVERED'] }),
  row('0022', 'Offline: `TTL_EXPIRATION_REVOKED` when its lifetime ends; without a lifetime no event.', {
    events: ['TTL_EXPIRATION_REVOKED'],
    expires: true,
    atExpiry: true,
  }),
  row('0053', '500 `INTERNAL` without accepting the message, for every attempt.', refused('INTERNAL')),
  row('0054', '500 `INTERNAL` after accepting the message; the event follows.', { answer: 'HTTP 500' }),
  row('0055', '200 with truncated JSON after accepting the message; the event follows.', {
    answer: 'broken JSON',
  }),
  row('0056', '503 `UNAVAILABLE` once, then delivered.', refused('UNAVAILABLE', 1)),
  row('0058', 'Token refused once, then delivered: 401 `UNAUTHENTICATED`.', refused('UNAUTHENTICATED', 1)),
  row('0071', 'Delivered, then a reply with text.', { events: ['DELIVERED', 'text'] }),
  row('0072', 'Delivered, then the first suggestion is tapped: `suggestionResponse`.', {
    events: ['DELIVERED', 'suggestionResponse'],
  }),
  row('0073', 'Delivered, then a reply with a file.', { events: ['DELIVERED', 'userFile'] }),
  row('0074', 'Delivered, then a reply with a location.', { events: ['DELIVERED', 'location'] }),
  row('0075', 'Delivered, then `IS_TYPING` and a reply with text.', {
    events: ['DELIVERED', 'IS_TYPING', 'text'],
  }),
  row('0076', 'Delivered, then the user opts in again: `SUBSCRIBE`.', { events: ['DELIVERED', 'SUBSCRIBE'] }),
]

export const behaviourFor = chooseByEnding(behaviours)
