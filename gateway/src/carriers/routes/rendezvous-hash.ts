/**
 * Weighted rendezvous hashing: distributes messages among routes by weight without state. Every route gets a score for a
 * key, and the highest score wins: the same message always gets the same route, and adding, removing or reweighting a route
 * moves only the messages that it gains or loses.
 */
import { mix } from '../../platform/hash.ts'

/** Computes −weight / ln u for a uniform u, which is the highest score with a probability proportional to the weight. */
export function computeScore(keyHash: number, seed: number, weight: number): number {
  // The offset of half a step prevents 0 and 1.
  const uniform = (mix(keyHash ^ seed) + 0.5) / 0x1_0000_0000
  return -weight / Math.log(uniform)
}

/** An arbitrary constant that makes the sample independent of the score. */
const sampleSalt = 0x5bd1e995

/** Returns true for one key in `oneIn`, independently of the key's score. */
export function isSampled(keyHash: number, seed: number, oneIn: number): boolean {
  return mix(mix(keyHash ^ seed) ^ sampleSalt) % oneIn === 0
}
