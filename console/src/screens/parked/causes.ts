/** Classifies the reasons of parked jobs; the class selects the advice. */
import type { Operations } from '../../generated/operations.ts'

export type ParkedStage = Operations['listParked']['data']['items'][number]['stage']

export const stages = [
  'intake',
  'dispatch',
  'settle',
  'opt-outs',
  'unreadable',
] as const satisfies ParkedStage[]

export type ParkedCause =
  | 'value'
  | 'partition'
  | 'grant'
  | 'schema'
  | 'database'
  | 'version'
  | 'format'
  | 'other'

/**
 * Reasons are error names and codes, or descriptions of unreadable jobs. `error` followed by a SQLSTATE is from PostgreSQL.
 * The first matching pattern applies.
 */
const causes: readonly (readonly [ParkedCause, RegExp])[] = [
  ['partition', /^error 23514\b/],
  ['grant', /^error 42501\b/],
  ['schema', /^error 42/],
  ['value', /^error 2[23]/],
  ['database', /^error [0-9A-Z]{5}/],
  ['version', /version|newer release/i],
  ['format', /unreadable|not JSON|names no|rejected from|nested/],
]

export function findCause(stage: ParkedStage, reason: string | null): ParkedCause {
  if (stage === 'unreadable') return 'format'
  return causes.find(([, pattern]) => pattern.test(reason ?? ''))?.[0] ?? 'other'
}
