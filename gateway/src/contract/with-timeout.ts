/** Limits how long a request waits for the database: after the limit the client gets A920 with Retry-After. */
import { Problem } from './problem.ts'

/**
 * Rejects with A920 after the limit. `operation` is the subject of the error text, for example 'file lookup'.
 */
export async function withTimeout<T>(limitMs: number, work: Promise<T>, operation: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Problem('A920', `Service busy: ${operation} timed out; retry`, 1)),
      limitMs,
    )
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
