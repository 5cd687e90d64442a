/**
 * Waiting for a condition in a test, with a limit that names what did not happen. Tests never sleep: a fixed
 * pause is too long on a fast machine and too short on a busy one.
 */
import { setTimeout as pause } from 'node:timers/promises'

export async function until(condition: () => boolean, what: string, limitMs = 10_000): Promise<void> {
  const end = performance.now() + limitMs
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain for ${what}`)
    await pause(1)
  }
}
