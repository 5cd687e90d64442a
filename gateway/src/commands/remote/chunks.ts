/**
 * Sends a long list over the admin API in requests of a bounded size, one after the other, with progress. Each is complete by itself and
 * changes nothing when it is repeated: after an interruption the same command is run again. Where the answer to one is lost and the admin API
 * says that it is done, the next one follows.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { BusyError, failedAfter, RepeatedError } from './explain.ts'

const maxTries = 6
const maxWaitSeconds = 10

export interface Chunks<One> {
  readonly items: readonly One[]
  readonly size: number
  readonly send: (chunk: readonly One[]) => Promise<unknown>
  /** Such as `numbers`. */
  readonly what: string
  readonly progress?: (text: string) => void
}

export async function sendChunks<One>({
  items,
  size,
  send,
  what,
  progress = (text) => void process.stderr.write(`${text}\n`),
}: Chunks<One>): Promise<void> {
  for (let done = 0; done < items.length; done += size) {
    const chunk = items.slice(done, done + size)
    let lost = ''
    await whileBusy(() => send(chunk)).catch((error: unknown) => {
      if (error instanceof RepeatedError && error.done) {
        lost = `; the answer to the last ${chunk.length} was lost: they are stored, and are not counted below`
        return
      }
      const before = `${done} of ${items.length} ${what} are stored, and the same command can be run again: what is stored stays`
      throw done === 0 ? error : failedAfter(before, error)
    })
    if (items.length > size || lost !== '')
      progress(`${done + chunk.length} of ${items.length} ${what}${lost}`)
  }
}

/** The admin API has refused it before it did anything, and says when to repeat it. */
async function whileBusy<T>(send: () => Promise<T>): Promise<T> {
  for (let left = maxTries; ; left -= 1)
    try {
      return await send()
    } catch (error) {
      if (left <= 1 || !(error instanceof BusyError)) throw error
      await wait(Math.min(error.retryAfterSeconds, maxWaitSeconds) * 1000)
    }
}
