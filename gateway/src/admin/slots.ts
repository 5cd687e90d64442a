/**
 * Bounds the requests in progress: in all, and for each operator, so that one of them cannot occupy the API for the others. Clients have
 * slots of their own, by account, so that they take none from operators; what all of them do at a time is bounded by `client-bounds.ts`.
 * In all, a request counts from the end of its body until its work has ended: callers that send no body or read no answer must not keep
 * out others. For its operator or account it counts until its answer was sent or its connection closed, because the answer is held as long.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { OperationError } from '../acts/errors.ts'

/** Beyond it, requests would only wait for a connection to the database. */
const maxRequests = 64
const maxPerOperator = 8

/**
 * For what each operator and account has its own of: bodies, of which each needs as much as the limit of a body, and requests of clients,
 * most of which wait for their turn. They keep out nobody else.
 */
export const unlimitedInAll = Number.POSITIVE_INFINITY

export class RequestSlots {
  #all = 0
  readonly #max: number
  readonly #byOperator = new Map<string, number>()

  constructor(max = maxRequests) {
    this.#max = max
  }

  /** Throws when there are too many. */
  take(operator: string, { raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply): Slot {
    if (socket.destroyed) throw new OperationError('unavailable', 'the connection is closed')
    const own = this.#byOperator.get(operator) ?? 0
    if (own >= maxPerOperator)
      throw new OperationError(
        'too-many-requests',
        `${maxPerOperator} requests of ${operator} are in progress; repeat the request`,
        { retryAfterSeconds: 1 },
      )
    if (this.#all >= this.#max)
      throw new OperationError('unavailable', 'too many requests are in progress; repeat the request', {
        retryAfterSeconds: 1,
      })
    this.#all += 1
    this.#byOperator.set(operator, own + 1)
    const slot = new Slot({ work: () => (this.#all -= 1), answer: () => this.#giveBack(operator) })
    // Node does not close a response that waits behind another one of its connection, so that of the connection counts, too.
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
    const left = this.#byOperator.get(operator)! - 1
    if (left === 0) this.#byOperator.delete(operator)
    else this.#byOperator.set(operator, left)
  }
}

interface Ends {
  readonly work: () => void
  readonly answer: () => void
}

export class Slot {
  #closed = false
  #working = false
  #worked = false
  readonly #ends: Ends

  constructor(ends: Ends) {
    this.#ends = ends
  }

  /** A caller that goes away does not end the work, so it does not end its share either. */
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
    if (this.#closed) this.#ends.answer()
  }
}
