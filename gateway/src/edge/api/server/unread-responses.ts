import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../../contract/problem.ts'

export interface UnreadResponseLimits {
  readonly accountBytes: number
  readonly processBytes: number
  /** Minimum time that a response may take even if others need its memory. */
  readonly patienceMs: number
}

const unreadLimits: UnreadResponseLimits = {
  accountBytes: 32 * 1024 * 1024,
  processBytes: 256 * 1024 * 1024,
  patienceMs: 10_000,
}
/** Smaller responses are not counted: one costs about as much as its connection, whose requests are limited. */
const smallBytes = 16 * 1024

/**
 * Limits the memory of responses that clients have not read yet: a page of reports has hundreds of kilobytes, and
 * an account may request 50 per second on any number of connections. Above the limit the response is replaced by
 * A920. Only reads have large responses, so nothing is lost: the same page is returned again. Responses that need
 * no account are shared and held once. If all accounts together hold too much, responses older than `patienceMs` of
 * the account that holds most are cut off: otherwise a few accounts that read a byte now and then would keep all
 * others from their pages. Add this hook before hooks that count responses, so a replaced one is counted once.
 */
export function limitUnreadResponses(server: FastifyInstance, limits = unreadLimits): void {
  const unread = new UnreadResponses(limits)
  server.addHook('onSend', (request, reply, payload, done) => {
    const { account, method } = request
    if (account === null || method !== 'GET' || typeof payload !== 'string' || payload.length < smallBytes) {
      done(null, payload)
      return
    }
    const { socket } = request.raw
    // The connection has closed already, so the response would never be released.
    if (socket.destroyed) {
      done(null, payload)
      return
    }
    const release = unread.take(account.id, Buffer.byteLength(payload), socket)
    if (release === null) {
      done(new Problem('A920', 'Service busy: read the responses to earlier requests, then retry', 1))
      return
    }
    reply.raw.once('close', release)
    done(null, payload)
  })
}

interface UnreadResponse {
  readonly bytes: number
  readonly socket: Socket
  readonly since: number
}

interface AccountUsage {
  bytes: number
  /** Oldest first. */
  readonly responses: Set<UnreadResponse>
}

class UnreadResponses {
  #bytes = 0
  readonly #byAccount = new Map<number, AccountUsage>()
  readonly #limits: UnreadResponseLimits

  constructor(limits: UnreadResponseLimits) {
    this.#limits = limits
  }

  /** Reserves memory until the returned function is called. Returns null if a limit is reached. */
  take(accountId: number, bytes: number, socket: Socket): (() => void) | null {
    const { accountBytes, processBytes } = this.#limits
    if ((this.#byAccount.get(accountId)?.bytes ?? 0) + bytes > accountBytes) return null
    if (this.#bytes + bytes > processBytes) this.#makeRoom(processBytes - bytes)
    if (this.#bytes + bytes > processBytes) return null
    // Look up the entry only now: making room may have removed it.
    const usage = this.#byAccount.get(accountId) ?? { bytes: 0, responses: new Set() }
    const response = { bytes, socket, since: performance.now() }
    this.#byAccount.set(accountId, usage)
    usage.responses.add(response)
    usage.bytes += bytes
    this.#bytes += bytes
    return () => this.#release(accountId, response)
  }

  #release(accountId: number, response: UnreadResponse): void {
    const usage = this.#byAccount.get(accountId)
    // A response that was cut off is released already.
    if (usage?.responses.delete(response) !== true) return
    usage.bytes -= response.bytes
    this.#bytes -= response.bytes
    if (usage.responses.size === 0) this.#byAccount.delete(accountId)
  }

  /**
   * Cuts off old responses of the account that holds most among those with any, until at most `maxBytes` are
   * held.
   */
  #makeRoom(maxBytes: number): void {
    const latest = performance.now() - this.#limits.patienceMs
    let most: readonly [number, AccountUsage] | undefined
    for (const entry of this.#byAccount) {
      const [oldest] = entry[1].responses
      if (oldest!.since <= latest && entry[1].bytes > (most?.[1].bytes ?? 0)) most = entry
    }
    if (most === undefined) return
    const [accountId, { responses }] = most
    for (const response of responses) {
      if (this.#bytes <= maxBytes || response.since > latest) return
      // The closed connection tells the reader that the page is incomplete.
      response.socket.destroy()
      this.#release(accountId, response)
    }
  }
}
