/** Compares what a carrier sent with a secret. Called by the readers of inbound requests. Pure. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Digests have one length, so that the comparison takes the same time for every wrong value. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
