/**
 * Bounds the memory of answers that were made and are not read yet: a page of reports has hundreds of kilobytes, and an account may ask for
 * 50 a second on as many connections as it likes. Beyond the bound the answer is replaced by A920. Only reads have such answers, so nothing
 * is lost: the same page is answered again. What needs no account is the same for everybody and held once. When all accounts together hold
 * too much, the one that holds most makes room, of those whose answers have had enough time: otherwise a few accounts that take a byte now
 * and then would keep all others from their pages.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../contract/problem.ts'

export interface UnreadLimits {
  readonly accountBytes: number
  readonly processBytes: number
  /** How long an answer may take while others need its room. */
  readonly patienceMs: number
}

const unreadLimits: UnreadLimits = {
  accountBytes: 32 * 1024 * 1024,
  processBytes: 256 * 1024 * 1024,
  patienceMs: 10_000,
}
/** A smaller answer costs about as much as its connection, whose requests are bounded. */
const smallBytes = 16 * 1024

/** Added before hooks that count answers: an answer that is replaced passes those once. */
export function boundUnreadAnswers(server: FastifyInstance, limits = unreadLimits): void {
  const unread = new UnreadAnswers(limits)
  server.addHook('onSend', (request, reply, payload, done) => {
    const { account, method } = request
    if (account === null || method !== 'GET' || typeof payload !== 'string' || payload.length < smallBytes) {
      done(null, payload)
      return
    }
    const { socket } = request.raw
    // Nobody reads it, and the end of its connection has passed already: it would count for ever.
    if (socket.destroyed) {
      done(null, payload)
      return
    }
    const giveBack = unread.take(account.id, Buffer.byteLength(payload), socket)
    if (giveBack === null) {
      done(new Problem('A920', 'Service busy: read the answers to earlier requests, then ask again', 1))
      return
    }
    reply.raw.once('close', giveBack)
    done(null, payload)
  })
}

interface UnreadAnswer {
  readonly bytes: number
  readonly socket: Socket
  readonly since: number
}

interface Held {
  bytes: number
  /** The oldest first. */
  readonly answers: Set<UnreadAnswer>
}

class UnreadAnswers {
  #bytes = 0
  readonly #byAccount = new Map<number, Held>()
  readonly #limits: UnreadLimits

  constructor(limits: UnreadLimits) {
    this.#limits = limits
  }

  /** Until what it returns is called. Null when there is no room. */
  take(accountId: number, bytes: number, socket: Socket): (() => void) | null {
    const { accountBytes, processBytes } = this.#limits
    if ((this.#byAccount.get(accountId)?.bytes ?? 0) + bytes > accountBytes) return null
    if (this.#bytes + bytes > processBytes) this.#makeRoom(processBytes - bytes)
    if (this.#bytes + bytes > processBytes) return null
    // After that: it may have been the one that made room.
    const held = this.#byAccount.get(accountId) ?? { bytes: 0, answers: new Set() }
    const answer = { bytes, socket, since: performance.now() }
    this.#byAccount.set(accountId, held)
    held.answers.add(answer)
    held.bytes += bytes
    this.#bytes += bytes
    return () => this.#giveBack(accountId, answer)
  }

  #giveBack(accountId: number, answer: UnreadAnswer): void {
    const held = this.#byAccount.get(accountId)
    // One that was cut off has given back already.
    if (held?.answers.delete(answer) !== true) return
    held.bytes -= answer.bytes
    this.#bytes -= answer.bytes
    if (held.answers.size === 0) this.#byAccount.delete(accountId)
  }

  /** Cuts off old answers of the account that holds most of those with any, until at most this is held. */
  #makeRoom(maxBytes: number): void {
    const before = performance.now() - this.#limits.patienceMs
    let most: readonly [number, Held] | undefined
    for (const entry of this.#byAccount) {
      const [oldest] = entry[1].answers
      if (oldest!.since <= before && entry[1].bytes > (most?.[1].bytes ?? 0)) most = entry
    }
    if (most === undefined) return
    const [accountId, { answers }] = most
    for (const answer of answers) {
      if (this.#bytes <= maxBytes || answer.since > before) return
      // The reader learns from the closed connection that the page is not complete.
      answer.socket.destroy()
      this.#giveBack(accountId, answer)
    }
  }
}
