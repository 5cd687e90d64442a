/**
 * Weighted rendezvous hashing: shares messages among routes by weight without any state. Every route gets a score for a
 * key and the highest score wins, so that the same message always gets the same route, each route gets its share, and a
 * route that is added, removed or reweighted moves only the messages that it gains or loses. Pure.
 */
import { mix } from '../platform/hash.ts'

/** The score of one route for one key: with u uniform, −weight / ln u is the highest in proportion to the weight. */
export function scoreOf(keyHash: number, seed: number, weight: number): number {
  // Never 0 or 1: offset by half a step.
  const uniform = (mix(keyHash ^ seed) + 0.5) / 0x1_0000_0000
  return -weight / Math.log(uniform)
}

/** True for one key in `oneIn`, independently of the key's score. */
export function isSampled(keyHash: number, seed: number, oneIn: number): boolean {
  return mix(mix(keyHash ^ seed) ^ 0x5bd1e995) % oneIn === 0
}
