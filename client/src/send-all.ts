import type { SendOptions } from './call.ts'
import { PosternError } from './errors.ts'
import type { SendResponse } from './generated/types.ts'

export interface SendAllOptions<Message> extends Omit<SendOptions, 'idempotencyKey'> {
  /** Sends in progress at a time; the client's `concurrency` also applies. Default 16. */
  readonly concurrency?: number
  /** Returns the key of a message. A second run within 24 hours with the same keys sends nothing twice. */
  readonly idempotencyKey?: (message: Message) => string | null
}

/**
 * An accepted message with its `msgKey`, or a failed one with its error. Errors do not stop the other sends.
 */
export type SendAllResult<Message> =
  | { readonly message: Message; readonly msgKey: string; readonly error?: undefined }
  | { readonly message: Message; readonly msgKey?: undefined; readonly error: PosternError }

/**
 * Sends many messages. Reads the source only as fast as messages are accepted, so memory use does not depend
 * on the number of messages. Yields results in order of completion.
 */
export async function* sendAll<Message>(
  messages: Iterable<Message> | AsyncIterable<Message>,
  send: (message: Message, options: SendOptions) => Promise<SendResponse>,
  { concurrency = 16, idempotencyKey, ...options }: SendAllOptions<Message>,
): AsyncGenerator<SendAllResult<Message>, void> {
  const inFlight = new Map<number, Promise<readonly [number, SendAllResult<Message>]>>()
  let nextId = 0

  async function sendOne(id: number, message: Message): Promise<readonly [number, SendAllResult<Message>]> {
    try {
      const { msgKey } = await send(message, { ...options, idempotencyKey: idempotencyKey?.(message) })
      return [id, { message, msgKey }]
    } catch (error) {
      if (!(error instanceof PosternError)) throw error
      return [id, { message, error }]
    }
  }

  async function next(): Promise<SendAllResult<Message>> {
    const [id, result] = await Promise.race(inFlight.values())
    inFlight.delete(id)
    return result
  }

  try {
    for await (const message of messages) {
      options.signal?.throwIfAborted()
      while (inFlight.size >= concurrency) yield await next()
      const id = nextId++
      const sending = sendOne(id, message)
      // An abort can reject the promise before it is awaited.
      sending.catch(() => undefined)
      inFlight.set(id, sending)
    }
    while (inFlight.size > 0) yield await next()
  } finally {
    // If the caller left the loop or the source failed, wait for the sends in progress.
    await Promise.allSettled(inFlight.values())
  }
}
