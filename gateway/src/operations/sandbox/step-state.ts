/** Determines whether a step reached the phone, by the attempts of its last try. */
import type { Cause } from '../../channels/cause.ts'

export interface SandboxAttempt {
  readonly try: number
  readonly outcome: 'accepted' | 'refused' | 'unknown'
  readonly result: 'delivered' | 'failed' | null
  readonly cause: Cause | null
  readonly outcomeCode: string | null
  readonly receiptCode: string | null
  readonly submittedAt: Date
  readonly receivedAt: Date | null
}

export const stepStates = ['pending', 'delivered', 'failed', 'no-receipt'] as const

export interface SandboxStepState {
  readonly state: (typeof stepStates)[number]
  /** Time of delivery or failure. */
  readonly stateAt: Date | null
  readonly cause: Cause | null
  readonly carrierCode: string | null
}

/** `parts` are attempts of one try. `isOver` means that the step has ended and no receipt is expected. */
export function computeStepState(parts: readonly SandboxAttempt[], isOver: boolean): SandboxStepState {
  const failed = parts.find(({ outcome, result }) => outcome === 'refused' || result === 'failed')
  if (failed !== undefined)
    return {
      state: 'failed',
      stateAt: failed.receivedAt ?? failed.submittedAt,
      cause: failed.cause,
      carrierCode: failed.receiptCode ?? failed.outcomeCode,
    }
  const last = parts.at(-1)!
  if (parts.every(({ result }) => result === 'delivered'))
    return { state: 'delivered', stateAt: last.receivedAt, cause: null, carrierCode: last.receiptCode }
  return { state: isOver ? 'no-receipt' : 'pending', stateAt: null, cause: null, carrierCode: null }
}
