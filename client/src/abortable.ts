import { TimeoutError } from './errors.ts'

/** A timer with a longer delay would fire immediately. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Runs `begin`, which returns a function that cancels it. If the signal aborts first, cancels and rejects
 * with the caller's reason.
 */
export async function runAbortable<Result>(
  begin: (resolve: (result: Result) => void, reject: (error: unknown) => void) => (() => void) | undefined,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted()
  let stop = (): void => undefined
  try {
    return await new Promise<Result>((resolve, reject) => {
      const cancel = begin(resolve, reject)
      stop = () => {
        cancel?.()
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason
        reject(signal!.reason)
      }
      signal?.addEventListener('abort', stop)
    })
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return runAbortable((resolve) => {
    const timer = setTimeout(resolve, ms)
    return () => clearTimeout(timer)
  }, signal)
}

/** Passes `work` a signal that aborts with `signal`, or with a TimeoutError after `deadlineMs`. */
export async function withDeadline<Result>(
  deadlineMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController()
  const end = (): void => deadline.abort(new TimeoutError(deadlineMs))
  const timer = setTimeout(end, Math.min(deadlineMs, maxTimerMs))
  try {
    return await work(AbortSignal.any([deadline.signal, ...(signal === undefined ? [] : [signal])]))
  } finally {
    clearTimeout(timer)
  }
}
