/** Limits how long a request waits for the database: after the limit the client gets A920 with Retry-After. */
import { Problem } from './problem.ts'

/** `what` says what could not be done, as in 'the file cannot be looked up'. */
export async function withTimeout<T>(limitMs: number, work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Problem('A920', `Service busy: ${what} now, send it again`, 1)),
      limitMs,
    )
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
