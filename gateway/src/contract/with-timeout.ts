/** Bounds what a request waits for an engine: past the limit the client is told to send again. */
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
