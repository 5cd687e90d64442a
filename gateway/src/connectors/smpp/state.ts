/**
 * The states a carrier reports, by their number (message_state) and by the many ways in which their short
 * names are spelt, and what each means for a message. Pure tables.
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

/** A state by its short name in appendix B of the specification; the index is its message_state. */
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
  // Some contracts call it final. Ours do not: `states` in the options can say otherwise.
  ACCEPTD: pending,
  UNKNOWN: { result: 'failed', cause: 'outcome-unknown' },
  REJECTD: { result: 'failed', cause: 'refused' },
  SKIPPED: failed,
}

// Upper case, letters only, as seen in the field beside the ten official names.
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
    [stat, String(state), ...spellings[stat]].map((word) => [word, stat] as const),
  ),
)

export function statOfState(messageState: number): Stat | undefined {
  return stats[messageState]
}

/** Case, hyphens and underscores do not matter (`EN_ROUTE`, `Delivered`). */
export function statOfWord(word: string): Stat | undefined {
  return bySpelling.get(word.toUpperCase().replace(/[^A-Z0-9]/g, ''))
}

export function meaningOf(stat: Stat | undefined): Meaning {
  // A word nobody knows proves nothing: the message keeps waiting, and its deadline decides.
  return stat === undefined ? pending : meanings[stat]
}
