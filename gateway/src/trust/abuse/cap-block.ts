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
  /** How much is reserved at once, where the cap allows it. */
  size: number
  reservedAt: number
  /** Nothing was left at this time. */
  emptyAt: number
  /** False once it was given back. */
  isKept: boolean
}

/**
 * A block that lasted less than a fifth of a second is followed by one of twice the size, so that the statements of a busy
 * account do not grow with its rate; one that lasted for two seconds by a small one. What a process that is killed has
 * reserved counts as used.
 */
const [minBlock, maxBlock] = [500, 8_000]
const [growsWithinMs, shrinksAfterMs] = [200, 2_000]
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
    ...{ size: minBlock, reservedAt: -Infinity, isKept: true },
  }
}

export function shareOf({ max, used, size }: Block): number {
  return Math.min(size, Math.floor((max - used) * blockShare))
}

/** Call it before every reservation. */
export function resize(block: Block): void {
  const now = performance.now()
  const lastedMs = now - block.reservedAt
  if (lastedMs < growsWithinMs) block.size = Math.min(maxBlock, block.size * 2)
  else if (lastedMs > shrinksAfterMs) block.size = minBlock
  block.reservedAt = now
}

/** Other processes may need what this one has reserved. */
export function isNearlyUsed({ max, used }: Block): boolean {
  return max - used <= max * nearlyUsed
}

export function nameOf({ accountId, class: name, begins }: CapKey): string {
  return `${accountId}/${name}/${begins}`
}
