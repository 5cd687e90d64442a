/**
 * The message states of SMPP by number (message_state) and by name, in the spellings that carriers use, and what each
 * means for a message. Tables only.
 */
import type { Cause } from '../../channels/cause.ts'
import type { Receipt } from '../connector.ts'

export const stats = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
  'SKIPPED',
] as const

/** The short name of a state in appendix B of the specification; its index is the message_state. */
export type Stat = (typeof stats)[number]

export interface Meaning {
  readonly result: Receipt['result']
  readonly cause: Cause
}

const pending: Meaning = { result: 'pending', cause: 'outcome-unknown' }
const failed: Meaning = { result: 'failed', cause: 'failed' }

const meanings: Readonly<Record<Stat, Meaning>> = {
  SCHEDULED: pending,
  ENROUTE: pending,
  DELIVRD: { result: 'delivered', cause: 'delivered' },
  EXPIRED: { result: 'failed', cause: 'timeout' },
  DELETED: failed,
  UNDELIV: failed,
  // Some carriers use it as a final state; the option `states` can map it for those.
  ACCEPTD: pending,
  UNKNOWN: { result: 'failed', cause: 'outcome-unknown' },
  REJECTD: { result: 'failed', cause: 'refused' },
  SKIPPED: failed,
}

// Spellings seen in practice besides the ten official names; upper case, letters only.
const spellings: Readonly<Record<Stat, readonly string[]>> = {
  SCHEDULED: ['SCHEDLD', 'SCHEDULD'],
  ENROUTE: ['BUFFERED', 'BUFFRED', 'BUFFERD', 'PENDING', 'SUBMITD', 'SUBMITTED', 'SENT'],
  DELIVRD: ['DELIVERED', 'DELIVERD', 'DELIVERDD', 'DLVRD', 'DELIVRED'],
  EXPIRED: ['EXPIRD', 'EXPIRE'],
  DELETED: ['DELETD', 'CANCELED', 'CANCELLED'],
  UNDELIV: [
    'UNDELIVERABLE',
    'UNDELIVERED',
    'UNDELIVRD',
    'UNDELIVERD',
    'UNDLVRD',
    'UNDELIVE',
    'FAILED',
    'FAIL',
  ],
  ACCEPTD: ['ACCEPTED', 'ACCEPT', 'ACCPTD'],
  UNKNOWN: ['UNKNOW', 'UNKNWN', 'UNKNOWNSTATE'],
  REJECTD: ['REJECTED', 'REJECT', 'REJCTD'],
  SKIPPED: ['SKIPPD'],
}

const bySpelling = new Map<string, Stat>(
  stats.flatMap((stat, state) =>
    [stat, String(state), ...spellings[stat]].map((name) => [name, stat] as const),
  ),
)

export function statOfNumber(messageState: number): Stat | undefined {
  return stats[messageState]
}

/** Case, hyphens and underscores do not matter (`EN_ROUTE`, `Delivered`). */
export function statOfName(name: string): Stat | undefined {
  return bySpelling.get(name.toUpperCase().replace(/[^A-Z0-9]/g, ''))
}

export function meaningOf(stat: Stat | undefined): Meaning {
  // An unknown state proves nothing: the message keeps waiting until its deadline.
  return stat === undefined ? pending : meanings[stat]
}
