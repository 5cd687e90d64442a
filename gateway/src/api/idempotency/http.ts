/**
 * Idempotency-Key for the send endpoints: the same request with the same key has one effect and one answer, whichever
 * process it reaches, even when a process crashes. A request without the header is not affected.
 */
import { requireAccount } from '../../accounts/request-account.ts'
import { createHash, type Hash } from 'node:crypto'
import { pipeline, Transform, type Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../platform/log.ts'
import { Problem } from '../../contract/problem.ts'
import { isFinal, isNotAccepted, isRefusal } from './final-answers.ts'
import { withoutRecipients, withRecipients } from './recipients.ts'
import type { Claim, ClaimResult, IdempotencyStore } from './store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: Keyed | null
  }
}

/** A request that carries the header. */
interface Keyed {
  readonly key: string
  readonly hash: Hash
  claim?: Claim
}

export interface IdempotencyOptions {
  readonly store: IdempotencyStore
  /** New msgKeys, one for each message that the request may create. */
  readonly proposeKeys: (request: FastifyRequest) => readonly string[]
  /** Keyed, of the hash of a request: Redis would show the request to whoever can guess it. */
  readonly fingerprintOf: (digest: Buffer) => string
  /** How long a request waits for the answer of another with the same key. */
  readonly waitMs?: number | undefined
  readonly log: Log
}

const retryClaimMs = 50

export function idempotent(
  options: IdempotencyOptions,
  routes: FastifyPluginCallback,
): FastifyPluginCallback {
  const { store, proposeKeys, fingerprintOf, waitMs = 3_000, log } = options

  async function claim(request: FastifyRequest, { key, hash }: Keyed): Promise<ClaimResult> {
    const fingerprint = fingerprintOf(hash.digest())
    const until = performance.now() + waitMs
    for (;;) {
      const result = await store.claim(requireAccount(request).id, key, fingerprint, () =>
        proposeKeys(request),
      )
      if (result.kind !== 'busy' || performance.now() > until) return result
      await pause(retryClaimMs)
    }
  }

  async function begin(request: FastifyRequest, reply: FastifyReply, keyed: Keyed): Promise<boolean> {
    const result = await claim(request, keyed)
    switch (result.kind) {
      case 'claimed':
        keyed.claim = result.claim
        return true
      case 'answered':
        reply
          .code(result.answer.status)
          .headers({ 'content-type': 'application/json; charset=utf-8', 'idempotency-replayed': 'true' })
          .send(withRecipients(result.answer.body, request.body))
        return false
      case 'other':
        throw new Problem(
          'A021',
          'Idempotency-Key used before for another path or body: use a new key for every new request',
        )
      case 'busy':
        throw new Problem(
          'A022',
          'Request in progress: the first request with this Idempotency-Key is still being processed; retry it',
          1,
        )
    }
  }

  async function end(request: FastifyRequest, owned: Claim, status: number, body: string): Promise<void> {
    try {
      if (isFinal(status, body))
        await owned.finish({ status, body: withoutRecipients(body, request.body) }, isRefusal(status, body))
      else if (isNotAccepted(status, body)) await owned.forget()
      else await owned.release()
    } catch (error) {
      // The claim keeps its msgKeys: a repeated request does no harm, it only waits for the lease to expire.
      log.warn(
        { err: error as Error, requestId: request.id, account: requireAccount(request).id },
        'could not store the answer to an Idempotency-Key; a repeated request is sent again under the same msgKeys, without duplicates',
      )
    }
  }

  return (server, _options, done) => {
    server.decorateRequest('idempotency', null)
    server.addHook('preParsing', (request, _reply, payload, next) => {
      const header = request.headers['idempotency-key']
      if (header === undefined || isDryRun(request)) {
        next(null, payload)
        return
      }
      const key = readKey(header)
      if (key === null) {
        next(
          new Problem(
            'A300',
            'Wrong request: Idempotency-Key must be one value of 1 to 255 visible ASCII characters',
          ),
        )
        return
      }
      const { sendAt, ttl } = request.query as { readonly sendAt?: unknown; readonly ttl?: unknown }
      const when = sendAt === undefined && ttl === undefined ? '' : JSON.stringify([sendAt, ttl])
      const hash = createHash('sha256').update(`${request.routeOptions.url ?? ''}\n${when}`)
      request.idempotency = { key, hash }
      next(null, hashed(payload, hash))
    })
    server.addHook('preHandler', (request, reply, next) => {
      if (request.idempotency === null) {
        next()
        return
      }
      begin(request, reply, request.idempotency).then((goOn) => {
        if (goOn) next()
      }, next)
    })
    server.addHook('onSend', (request, reply, payload, next) => {
      const owned = request.idempotency?.claim
      if (owned === undefined) {
        next(null, payload)
        return
      }
      void end(request, owned, reply.statusCode, String(payload)).then(() => next(null, payload))
    })
    server.register(routes)
    done()
  }
}

/** The msgKey that the request's claim reserves for its message at `index`. */
export function reservedKey(request: FastifyRequest, index: number): string | undefined {
  // Undefined where sends are served without idempotency.
  return (request.idempotency as Keyed | null | undefined)?.claim?.msgKeys[index]
}

/** A dry run has no effect that a repetition could double. */
function isDryRun(request: FastifyRequest): boolean {
  return (request.query as { dryRun?: unknown }).dryRun === 'true'
}

function readKey(header: string | string[]): string | null {
  return typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header) ? header : null
}

/** The same bytes, hashed as they are read. */
function hashed(payload: Readable, hash: Hash): Transform {
  const passing = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk)
      next(null, chunk)
    },
  })
  // Not `pipe`: when the client disconnects, the reader must get the error too.
  pipeline(payload, passing, () => undefined)
  return passing
}
