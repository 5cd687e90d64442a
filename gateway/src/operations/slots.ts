/**
 * Limits requests in progress, in total and per operator, so that one operator cannot occupy the API. Clients
 * have separate slots per account, so that they take none from operators; `client-bounds.ts` limits what they
 * do concurrently. In total, a request counts from the end of its body until its work has ended: callers that
 * send no body or read no response must not keep out others. For its operator or account it counts until its work has
 * ended and its response was sent or its connection closed, because the response stays in memory until then.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { OperationError } from './errors.ts'

/** Further requests would only wait for a database connection. */
const maxRequests = 64
const maxPerOperator = 8

/**
 * Disables the total limit where slots of one operator or account do not affect others: for bodies, each of
 * which needs memory for the largest allowed body, and for client requests, most of which wait for their
 * turn.
 */
export const unlimitedInAll = Number.POSITIVE_INFINITY

export class RequestSlots {
  #total = 0
  readonly #max: number
  readonly #byOperator = new Map<string, number>()

  constructor(max = maxRequests) {
    this.#max = max
  }

  /** Throws if there are too many requests. */
  take(operator: string, { raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply): RequestSlot {
    if (socket.destroyed) throw new OperationError('unavailable', 'the connection is closed')
    const ofOperator = this.#byOperator.get(operator) ?? 0
    if (ofOperator >= maxPerOperator)
      throw new OperationError(
        'too-many-requests',
        `${maxPerOperator} requests of ${operator} are in progress; retry`,
        { retryAfterSeconds: 1 },
      )
    if (this.#total >= this.#max)
      throw new OperationError('unavailable', 'too many requests are in progress; retry', {
        retryAfterSeconds: 1,
      })
    this.#total += 1
    this.#byOperator.set(operator, ofOperator + 1)
    const slot = new RequestSlot({ work: () => (this.#total -= 1), response: () => this.#giveBack(operator) })
    // Node does not close a response that waits behind another one of its connection, so the connection is
    // observed as well.
    const close = (): void => {
      socket.off('close', close)
      response.off('close', close)
      slot.close()
    }
    socket.once('close', close)
    response.once('close', close)
    return slot
  }

  #giveBack(operator: string): void {
    const remaining = this.#byOperator.get(operator)! - 1
    if (remaining === 0) this.#byOperator.delete(operator)
    else this.#byOperator.set(operator, remaining)
  }
}

interface Ends {
  readonly work: () => void
  readonly response: () => void
}

export class RequestSlot {
  #closed = false
  #working = false
  #worked = false
  readonly #ends: Ends

  constructor(ends: Ends) {
    this.#ends = ends
  }

  /** Runs the work. A caller that disconnects neither ends the work nor frees its slot. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new OperationError('unavailable', 'the connection is closed')
    this.#working = true
    try {
      return await work()
    } finally {
      this.#working = false
      this.#end()
    }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#end()
  }

  #end(): void {
    if (this.#working) return
    if (!this.#worked) this.#ends.work()
    this.#worked = true
    if (this.#closed) this.#ends.response()
  }
}
