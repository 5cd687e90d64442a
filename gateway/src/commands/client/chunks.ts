/**
 * Sends a long list over the admin API in requests of a bounded size, one after the other, with progress. Each is complete by itself and
 * changes nothing when it is repeated: after an interruption the same command is run again. Where the answer to one is lost and the admin API
 * says that it is done, the next one follows.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { hasCode } from '../../acts/errors.ts'
import { failedAfter } from './explain.ts'

const maxTries = 6
const maxWaitSeconds = 10
/** Bounds the items of a request: the admin API takes bodies of 64 KB. */
const maxBytes = 56 * 1024

export interface Chunks<One> {
  readonly items: readonly One[]
  /** The most that a request has. */
  readonly size: number
  readonly send: (chunk: readonly One[]) => Promise<unknown>
  /** Such as `numbers`. */
  readonly what: string
  /** The requests store nothing. */
  readonly checks?: boolean
  readonly progress?: ((text: string) => void) | undefined
}

export async function sendChunks<One>({
  items,
  size,
  send,
  what,
  checks = false,
  progress = (text) => void process.stderr.write(`${text}\n`),
}: Chunks<One>): Promise<void> {
  let done = 0
  for (const chunk of divide(items, size)) {
    let lost = ''
    await whileBusy(() => send(chunk)).catch((error: unknown) => {
      if (hasCode(error, 'repeated') && error.done === true) {
        lost = `; the answer to the last ${chunk.length} was lost: they are stored, and are not counted below`
        return
      }
      const before = `${done} of ${items.length} ${what} are stored, and the same command can be run again: what is stored stays`
      throw done === 0 || checks ? error : failedAfter(before, error)
    })
    done += chunk.length
    if (items.length > size || lost !== '')
      progress(`${done} of ${items.length} ${what}${checks ? ' checked' : ''}${lost}`)
  }
}

/** At most `size` items, and no more than fit in a request; an item always fits. */
function* divide<One>(items: readonly One[], size: number): Generator<readonly One[]> {
  let chunk: One[] = []
  let bytes = 0
  for (const item of items) {
    const more = Buffer.byteLength(JSON.stringify(item)) + 1
    if (chunk.length === size || (chunk.length > 0 && bytes + more > maxBytes)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(item)
    bytes += more
  }
  if (chunk.length > 0) yield chunk
}

/** The admin API has refused it before it did anything, and says when to repeat it. */
export async function whileBusy<T>(send: () => Promise<T>): Promise<T> {
  for (let left = maxTries; ; left -= 1)
    try {
      return await send()
    } catch (error) {
      if (left <= 1 || !hasCode(error, 'too-many-requests')) throw error
      await wait(Math.min(error.retryAfterSeconds ?? 1, maxWaitSeconds) * 1000)
    }
}
