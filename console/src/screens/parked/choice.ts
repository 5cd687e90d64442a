import type { Operations } from '../../generated/operations.ts'
import type { ParkedStage } from './causes.ts'

export type Group = Operations['listParkedGroups']['data']['groups'][number]

/** Selects the jobs of a retry request; without a stage, all jobs. */
export interface RetrySelection {
  readonly stage?: ParkedStage | undefined
  /** `null` selects jobs without a reason; `undefined` selects jobs with any reason or none. */
  readonly parkedReason?: string | null | undefined
  readonly lastId: number
}

/** Jobs to retry, as shown to the operator. Jobs parked later are excluded. */
export type RetryRequest =
  | { readonly kind: 'all'; readonly groups: readonly Group[] }
  | { readonly kind: 'stage'; readonly stage: ParkedStage; readonly groups: readonly Group[] }
  | { readonly kind: 'reason'; readonly group: Group }

/** Passes a null reason on: it selects jobs without one, and omitting it would select the whole stage. */
export function toSelection(request: RetryRequest, groups: readonly Group[]): RetrySelection {
  const lastId = Math.max(...groups.map((group) => group.lastId))
  if (request.kind === 'all') return { lastId }
  if (request.kind === 'stage') return { stage: request.stage, lastId }
  return { stage: request.group.stage, parkedReason: request.group.reason, lastId }
}
