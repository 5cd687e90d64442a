/**
 * Waiting for a condition, with a limit that names what did not happen. Tests never sleep: a fixed pause is too
 * long on a fast machine and too short on a busy one.
 */
import { setTimeout as pause } from 'node:timers/promises'

/** Resolves with the first value that is neither false nor null nor undefined. */
export async function waitFor<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = 10_000,
): Promise<Exclude<T, false | null | undefined>> {
  const end = performance.now() + limitMs
  for (;;) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined) {
      return found as Exclude<T, false | null | undefined>
    }
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain for ${what}`)
    await pause(4)
  }
}

/** The promise, or a failure that names what did not end: a hang must not hang the tests. */
export async function within<T>(what: string, promise: Promise<T>, limitMs = 10_000): Promise<T> {
  const late = new AbortController()
  const limit = pause(limitMs, undefined, { signal: late.signal }).then(() => {
    throw new Error(`waited ${limitMs} ms in vain for ${what}`)
  })
  limit.catch(() => undefined)
  try {
    return await Promise.race([promise, limit])
  } finally {
    late.abort()
  }
}

/** Whether the promise has settled by now; gives everything that is due a chance to run first. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const note = (): void => {
    settled = true
  }
  promise.then(note, note)
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}
