/**
 * Sends many messages: takes from the source only as fast as messages are accepted, so that a file of a million lines
 * needs no more memory than a short one. Results come in the order of their completion.
 */
import type { SendOptions } from './call.ts'
import { PosternError } from './errors.ts'
import type { SendAnswer } from './generated/types.ts'

export interface SendAllOptions<Message> extends Omit<SendOptions, 'idempotencyKey'> {
  /** Sends under way at a time; no more than the client's `concurrency` are requests. Default 16. */
  readonly concurrency?: number
  /** The key of a message, so that a run that is started again sends nothing twice within 24 hours. */
  readonly idempotencyKey?: (message: Message) => string | null
}

/** A message was accepted, or refused with an error; an error does not end the others. */
export type SendAllResult<Message> =
  | { readonly message: Message; readonly msgKey: string; readonly error?: undefined }
  | { readonly message: Message; readonly msgKey?: undefined; readonly error: PosternError }

export async function* sendAll<Message>(
  messages: Iterable<Message> | AsyncIterable<Message>,
  send: (message: Message, options: SendOptions) => Promise<SendAnswer>,
  { concurrency = 16, idempotencyKey, ...options }: SendAllOptions<Message>,
): AsyncGenerator<SendAllResult<Message>, void> {
  const underWay = new Map<number, Promise<readonly [number, SendAllResult<Message>]>>()
  let number = 0

  async function one(id: number, message: Message): Promise<readonly [number, SendAllResult<Message>]> {
    try {
      const { msgKey } = await send(message, { ...options, idempotencyKey: idempotencyKey?.(message) })
      return [id, { message, msgKey }]
    } catch (error) {
      if (!(error instanceof PosternError)) throw error
      return [id, { message, error }]
    }
  }

  async function next(): Promise<SendAllResult<Message>> {
    const [id, result] = await Promise.race(underWay.values())
    underWay.delete(id)
    return result
  }

  try {
    for await (const message of messages) {
      options.signal?.throwIfAborted()
      while (underWay.size >= concurrency) yield await next()
      const id = number++
      const sending = one(id, message)
      // An abort may reject it before anything awaits it.
      sending.catch(() => undefined)
      underWay.set(id, sending)
    }
    while (underWay.size > 0) yield await next()
  } finally {
    // The caller has ended the loop, or the source has failed: what is under way ends by itself.
    await Promise.allSettled(underWay.values())
  }
}
