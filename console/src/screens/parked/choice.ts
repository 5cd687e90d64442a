/** Which jobs somebody wants to retry, and how the API is told. Pure. */
import type { Operations } from '../../generated/operations.ts'
import type { Stage } from './causes.ts'

export type Group = Operations['listParkedGroups']['data']['groups'][number]

/** Which jobs are retried; all of them without a stage. */
export interface Choice {
  readonly stage?: Stage | undefined
  /** Null: jobs without a reason. Undefined: whatever the reason. */
  readonly parkedReason?: string | null | undefined
  readonly lastId: number
}

/** What somebody wants to retry, as it was shown: what is parked later is left out. */
export type Asked =
  | { readonly kind: 'all'; readonly groups: readonly Group[] }
  | { readonly kind: 'stage'; readonly stage: Stage; readonly groups: readonly Group[] }
  | { readonly kind: 'reason'; readonly group: Group }

/** The reason as it is: null chooses the jobs without one, and leaving it out would choose the whole stage. */
export function toChoice(asked: Asked, groups: readonly Group[]): Choice {
  const lastId = Math.max(...groups.map((group) => group.lastId))
  if (asked.kind === 'all') return { lastId }
  if (asked.kind === 'stage') return { stage: asked.stage, lastId }
  return { stage: asked.group.stage, parkedReason: asked.group.reason, lastId }
}
