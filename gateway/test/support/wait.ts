/**
 * Waits for a condition with a time limit and a descriptive error. Tests use it instead of sleeping: a fixed
 * pause is too long on a fast machine and too short on a busy one.
 */
import { setTimeout as pause } from 'node:timers/promises'

/** Only failures take this long. Shorter limits fail on a busy machine. */
const defaultTimeoutMs = 30_000
const maxIntervalMs = 25

/** The test runner recognizes a timeout by the name of its error. */
class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'

  constructor(description: string, timeoutMs: number) {
    super(`timed out after ${timeoutMs} ms waiting for ${description}`)
  }
}

export interface WaitOptions {
  readonly timeoutMs?: number
  /** Interval between checks. Defaults to a twentieth of the time waited so far, from 1 to 25 ms. */
  readonly everyMs?: number
}

/**
 * Resolves with the first value that is neither false nor null nor undefined. An error thrown by the
 * condition ends the wait.
 */
export async function waitFor<T>(
  description: string,
  condition: () => T | Promise<T>,
  { timeoutMs = defaultTimeoutMs, everyMs }: WaitOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const started = performance.now()
  for (;;) {
    const value = await condition()
    if (value !== false && value !== null && value !== undefined) {
      return value as Exclude<T, false | null | undefined>
    }
    const waitedMs = performance.now() - started
    if (waitedMs > timeoutMs) throw new WaitTimeoutError(description, timeoutMs)
    await pause(everyMs ?? Math.min(Math.max(waitedMs / 20, 1), maxIntervalMs))
  }
}

/** Rejects with a descriptive error if the promise does not settle in time, so that tests do not hang. */
export async function withTimeout<T>(
  description: string,
  promise: Promise<T>,
  { timeoutMs = defaultTimeoutMs }: Pick<WaitOptions, 'timeoutMs'> = {},
): Promise<T> {
  const settled = new AbortController()
  const limit = pause(timeoutMs, undefined, { signal: settled.signal }).then(() => {
    throw new WaitTimeoutError(description, timeoutMs)
  })
  limit.catch(() => undefined)
  try {
    return await Promise.race([promise, limit])
  } finally {
    settled.abort()
  }
}

/**
 * Throws a timeout, not an assertion error, if `tookMs` exceeds the limit, because a busy machine may exceed
 * it.
 */
export function assertWithin(description: string, tookMs: number, limitMs: number): void {
  if (tookMs > limitMs)
    throw new WaitTimeoutError(`${description}, which took ${Math.round(tookMs)} ms`, limitMs)
}

/** Reports whether the promise has settled after everything due in the event loop has run. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const note = (): void => {
    settled = true
  }
  promise.then(note, note)
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}
