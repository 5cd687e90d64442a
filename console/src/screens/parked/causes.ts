/** Why jobs are parked: the stages, and what kind of reason each has, which decides the advice. Pure. */
import type { Operations } from '../../generated/operations.ts'

export type Stage = Operations['listParked']['data']['items'][number]['stage']

export const stages = ['intake', 'dispatch', 'settle', 'opt-outs', 'unreadable'] as const satisfies Stage[]

/** What kind of reason it is: each has its own advice. */
export type Cause = 'value' | 'partition' | 'grant' | 'schema' | 'database' | 'version' | 'format' | 'other'

/** Reasons are names and codes of errors, or what a stage could not read. `error` is what PostgreSQL answers, with its SQLSTATE. */
const causes: readonly (readonly [Cause, RegExp])[] = [
  ['partition', /^error 23514\b/],
  ['grant', /^error 42501\b/],
  ['schema', /^error 42/],
  ['value', /^error 2[23]/],
  ['database', /^error [0-9A-Z]{5}/],
  ['version', /version|newer release/i],
  ['format', /unreadable|not JSON|names no|rejected from|nested/],
]

export function causeOf(stage: Stage, reason: string | null): Cause {
  if (stage === 'unreadable') return 'format'
  return causes.find(([, pattern]) => pattern.test(reason ?? ''))?.[0] ?? 'other'
}
