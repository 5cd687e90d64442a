/** What a process has reserved of a cap. Its size follows what is left of the cap, so that the last messages are not reserved twice. */
import type { CapKey } from './cap-store.ts'
import type { Cap } from './protection.ts'

export interface Block extends CapKey {
  max: number
  /** Reserved and not used. */
  left: number
  /** Reserved under a higher cap than now: it is given back, not used. */
  surplus: number
  /** What requests wait for. */
  demand: number
  /** By all processes, when it was read last. */
  used: number
  usedAt: number
  /** Nothing was left at this time. */
  emptyAt: number
}

const maxBlock = 500
/** A process reserves this share of what is left. */
const blockShare = 1 / 16
/** A cap of which no more than this share is free. */
const nearlyUsed = 0.1
/** Smaller blocks are reserved when they are needed, not ahead. */
export const minAhead = 16

export function newBlock(accountId: number, { period, class: name, max }: Cap, begins: string): Block {
  return {
    ...{ accountId, period, class: name, begins, max },
    ...{ left: 0, surplus: 0, demand: 0, used: 0, usedAt: performance.now(), emptyAt: -Infinity },
  }
}

export function shareOf({ max, used }: Block): number {
  return Math.min(maxBlock, Math.floor((max - used) * blockShare))
}

/** Other processes may need what this one has reserved. */
export function isNearlyUsed({ max, used }: Block): boolean {
  return max - used <= max * nearlyUsed
}

export function nameOf({ accountId, class: name, begins }: CapKey): string {
  return `${accountId}/${name}/${begins}`
}
