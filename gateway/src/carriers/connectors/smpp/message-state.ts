/**
 * SMPP message states by number (message_state) and by name, in the spellings that carriers use, with their meaning for a
 * message.
 */
import type { Cause } from '../../../channels/cause.ts'
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

/** The short name of a state in appendix B of the specification; its index in `stats` is the message_state. */
export type Stat = (typeof stats)[number]

export interface StateMeaning {
  readonly result: Receipt['result']
  readonly cause: Cause
}

const pending: StateMeaning = { result: 'pending', cause: 'outcome-unknown' }
const failed: StateMeaning = { result: 'failed', cause: 'failed' }

const meanings: Readonly<Record<Stat, StateMeaning>> = {
  SCHEDULED: pending,
  ENROUTE: pending,
  DELIVRD: { result: 'delivered', cause: 'delivered' },
  EXPIRED: { result: 'failed', cause: 'timeout' },
  DELETED: failed,
  UNDELIV: failed,
  // Final at some carriers; the option `states` can map it for those.
  ACCEPTD: pending,
  UNKNOWN: { result: 'failed', cause: 'outcome-unknown' },
  REJECTD: { result: 'failed', cause: 'refused' },
  SKIPPED: failed,
}

// Spellings seen in practice, in addition to the ten official names. Upper case, letters only.
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

export function findStatByNumber(messageState: number): Stat | undefined {
  return stats[messageState]
}

/** Ignores case, hyphens and underscores (`EN_ROUTE`, `Delivered`). Accepts the number of a state as well (`2`). */
export function findStatByName(name: string): Stat | undefined {
  return bySpelling.get(name.toUpperCase().replace(/[^A-Z0-9]/g, ''))
}

export function getStateMeaning(stat: Stat | undefined): StateMeaning {
  // An unknown state proves nothing: the message keeps waiting until its deadline.
  return stat === undefined ? pending : meanings[stat]
}
