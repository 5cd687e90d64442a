/**
 * Bounds the memory of answers that were made and are not read yet: a page of reports has hundreds of kilobytes, and an account may ask for
 * 50 a second on as many connections as it likes. Beyond the bound the answer is replaced by A920. Only reads have such answers, so nothing
 * is lost: the same page is answered again. What needs no account is the same for everybody and held once.
 */
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../contract/problem.ts'

export interface UnreadLimits {
  readonly accountBytes: number
  readonly processBytes: number
}

const unreadLimits: UnreadLimits = { accountBytes: 32 * 1024 * 1024, processBytes: 256 * 1024 * 1024 }
/** A smaller answer costs about as much as its connection, whose requests are bounded. */
const smallBytes = 16 * 1024

/** Added before hooks that count answers: an answer that is replaced passes those once. */
export function boundUnreadAnswers(server: FastifyInstance, limits = unreadLimits): void {
  const byAccount = new Map<number, number>()
  let all = 0

  function add(accountId: number, bytes: number): void {
    all += bytes
    const own = (byAccount.get(accountId) ?? 0) + bytes
    if (own === 0) byAccount.delete(accountId)
    else byAccount.set(accountId, own)
  }

  server.addHook('onSend', (request, reply, payload, done) => {
    const { account, method } = request
    if (account === null || method !== 'GET' || typeof payload !== 'string' || payload.length < smallBytes) {
      done(null, payload)
      return
    }
    // Nobody reads it, and the end of its connection has passed already: it would count for ever.
    if (request.raw.socket.destroyed) {
      done(null, payload)
      return
    }
    const bytes = Buffer.byteLength(payload)
    const own = byAccount.get(account.id) ?? 0
    if (own + bytes > limits.accountBytes || all + bytes > limits.processBytes) {
      done(new Problem('A920', 'Service busy: read the answers to earlier requests, then ask again', 1))
      return
    }
    add(account.id, bytes)
    reply.raw.once('close', () => add(account.id, -bytes))
    done(null, payload)
  })
}
