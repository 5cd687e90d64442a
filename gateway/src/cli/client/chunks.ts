/**
 * Sends a long list over the admin API in requests of limited size, one after the other, with progress. Each
 * request is complete and can be repeated without effect: after an interruption the same command is run
 * again. If a response is lost and the admin API reports that the request is done, the next one follows.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { hasCode } from '../../operations/errors.ts'
import { toPartialFailure } from './explain.ts'

const maxTries = 6
const maxWaitSeconds = 10
/** Maximum size of the items of a request: the admin API accepts bodies of 64 KB. */
const maxBytes = 56 * 1024

export interface Chunks<One> {
  readonly items: readonly One[]
  /** Maximum number of items per request. */
  readonly size: number
  readonly send: (chunk: readonly One[]) => Promise<unknown>
  /** The name of the items, such as `numbers`. */
  readonly itemName: string
  /** Set if the requests store nothing. */
  readonly isCheck?: boolean
  readonly progress?: ((text: string) => void) | undefined
}

export async function sendChunks<One>({
  items,
  size,
  send,
  itemName,
  isCheck = false,
  progress = (text) => void process.stderr.write(`${text}\n`),
}: Chunks<One>): Promise<void> {
  let done = 0
  for (const chunk of divide(items, size)) {
    let lost = ''
    await retryWhileBusy(() => send(chunk)).catch((error: unknown) => {
      if (hasCode(error, 'repeated') && error.done === true) {
        lost = `; the response to the last ${chunk.length} was lost: they are stored, but not counted below`
        return
      }
      const before = `stored ${done} of ${items.length} ${itemName}`
      throw done === 0 || isCheck ? error : toPartialFailure(before, error)
    })
    done += chunk.length
    if (items.length > size || lost !== '')
      progress(`${done} of ${items.length} ${itemName}${isCheck ? ' checked' : ''}${lost}`)
  }
}

/** Divides items into requests of at most `size` items and `maxBytes`. A larger item is sent alone. */
function* divide<One>(items: readonly One[], size: number): Generator<readonly One[]> {
  let chunk: One[] = []
  let bytes = 0
  for (const item of items) {
    const itemBytes = Buffer.byteLength(JSON.stringify(item)) + 1
    if (chunk.length === size || (chunk.length > 0 && bytes + itemBytes > maxBytes)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(item)
    bytes += itemBytes
  }
  if (chunk.length > 0) yield chunk
}

/**
 * Repeats a request that the admin API refused before processing it, up to `maxTries` attempts in all. Waits for the
 * time in the refusal, but at most `maxWaitSeconds`.
 */
export async function retryWhileBusy<T>(send: () => Promise<T>): Promise<T> {
  for (let triesLeft = maxTries; ; triesLeft -= 1)
    try {
      return await send()
    } catch (error) {
      if (triesLeft <= 1 || !hasCode(error, 'too-many-requests')) throw error
      await wait(Math.min(error.retryAfterSeconds ?? 1, maxWaitSeconds) * 1000)
    }
}
