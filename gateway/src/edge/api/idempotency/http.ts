/**
 * Implements Idempotency-Key for the send endpoints: requests with the same key and content have one effect
 * and one response, whichever process they reach, even after a crash. Requests without the header are not
 * affected.
 */
import { requireAccount } from '../../../identity/accounts/request-account.ts'
import { createHash, type Hash } from 'node:crypto'
import { pipeline, Transform, type Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../../platform/logging/log.ts'
import { acceptanceHeader, type Acceptance } from '../../../contract/acceptance.ts'
import { Problem } from '../../../contract/problem.ts'
import type { ReservedMessage } from '../../../pipeline/accept/accept.ts'
import { mayBeAccepted } from '../../../pipeline/accept/send.ts'
import { chooseKeyOutcome } from './final-responses.ts'
import { withoutRecipients, withRecipients } from './recipients.ts'
import type { IdempotencyClaim, IdempotencyResult, IdempotencyStore } from './store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    idempotency: IdempotentRequest | null
  }
}

interface IdempotentRequest {
  readonly key: string
  readonly hash: Hash
  claim?: IdempotencyClaim
  /** Result codes of an omni send that was processed. */
  destinations?: readonly string[]
}

export interface IdempotencyOptions {
  readonly store: IdempotencyStore
  /** Returns new msgKeys, one for each message that the request may create. */
  readonly proposeKeys: (request: FastifyRequest) => readonly string[]
  /** Computes a keyed fingerprint; a plain hash in Redis could be reversed by guessing the request. */
  readonly computeFingerprint: (digest: Buffer) => string
  /** Maximum wait for the response to an earlier request with the same key. */
  readonly waitMs?: number | undefined
  readonly log: Log
}

const retryClaimMs = 50

export function idempotent(
  options: IdempotencyOptions,
  routes: FastifyPluginCallback,
): FastifyPluginCallback {
  const { store, proposeKeys, computeFingerprint, waitMs = 3_000, log } = options

  async function claim(
    request: FastifyRequest,
    { key, hash }: IdempotentRequest,
  ): Promise<IdempotencyResult> {
    const fingerprint = computeFingerprint(hash.digest())
    const until = performance.now() + waitMs
    for (;;) {
      const result = await store.claim(requireAccount(request).id, key, fingerprint, () =>
        proposeKeys(request),
      )
      if (result.kind !== 'busy' || performance.now() > until) return result
      await pause(retryClaimMs)
    }
  }

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    keyed: IdempotentRequest,
  ): Promise<boolean> {
    const result = await claim(request, keyed)
    switch (result.kind) {
      case 'claimed':
        keyed.claim = result.claim
        return true
      case 'answered':
        // A stored response other than 200 is a refusal.
        if (result.answer.status !== 200) reply.header(acceptanceHeader, 'no')
        reply
          .code(result.answer.status)
          .headers({ 'content-type': 'application/json; charset=utf-8', 'idempotency-replayed': 'true' })
          .send(withRecipients(result.answer.body, request.body))
        return false
      case 'other':
        throw new Problem(
          'A021',
          'Idempotency-Key used before for another path or body: use a new key for each new request',
        )
      case 'busy':
        throw new Problem(
          'A022',
          'Request in progress: the first request with this Idempotency-Key is still being processed; retry',
          1,
        )
    }
  }

  async function end(
    request: FastifyRequest,
    reply: FastifyReply,
    owned: IdempotencyClaim,
    body: string,
  ): Promise<void> {
    const status = reply.statusCode
    // What an earlier request may have accepted is not refused, whatever this one was told.
    const isDoubtful = owned.messages.some(mayBeAccepted)
    if (status !== 200 && isDoubtful) reply.header(acceptanceHeader, 'perhaps' satisfies Acceptance)
    const acceptance = reply.getHeader(acceptanceHeader) as Acceptance | undefined
    const outcome = chooseKeyOutcome({ status, acceptance, destinations: request.idempotency?.destinations })
    try {
      if (isDoubtful && outcome !== 'accepted') await owned.release()
      else if (outcome === 'forgotten') await owned.forget()
      else if (outcome === 'released') await owned.release()
      else await owned.finish({ status, body: withoutRecipients(body, request.body) }, outcome === 'refused')
    } catch (error) {
      // The claim keeps its msgKeys, so a repeated request does no harm; it may be refused until the lease expires.
      log.warn(
        { err: error as Error, requestId: request.id, account: requireAccount(request).id },
        'could not store the response to an Idempotency-Key; a repeated request is processed again under the same msgKeys, without duplicates',
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
      const timing = sendAt === undefined && ttl === undefined ? '' : JSON.stringify([sendAt, ttl])
      const hash = createHash('sha256').update(`${request.routeOptions.url ?? ''}\n${timing}`)
      request.idempotency = { key, hash }
      next(null, hashed(payload, hash))
    })
    server.addHook('preHandler', (request, reply, next) => {
      if (request.idempotency === null) {
        next()
        return
      }
      begin(request, reply, request.idempotency).then((isClaimed) => {
        if (isClaimed) next()
      }, next)
    })
    server.addHook('onSend', (request, reply, payload, next) => {
      const owned = request.idempotency?.claim
      if (owned === undefined) {
        next(null, payload)
        return
      }
      void end(request, reply, owned, String(payload)).then(() => next(null, payload))
    })
    server.register(routes)
    done()
  }
}

/** Returns the messages that the request's claim reserves; empty without a claim. */
export function getReserved(request: FastifyRequest): readonly ReservedMessage[] {
  // The property is missing if sends are served without idempotency.
  return (request.idempotency as IdempotentRequest | null | undefined)?.claim?.messages ?? []
}

/** Keeps the result codes of an omni send, which decide whether its response is final. */
export function noteDestinations(request: FastifyRequest, codes: readonly string[]): void {
  const keyed = request.idempotency as IdempotentRequest | null | undefined
  if (keyed) keyed.destinations = codes
}

/** A dry run has no effect that a repetition could duplicate, so its key is ignored. */
function isDryRun(request: FastifyRequest): boolean {
  return (request.query as { dryRun?: unknown }).dryRun === 'true'
}

function readKey(header: string | string[]): string | null {
  return typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header) ? header : null
}

/** Passes the payload through and hashes it on the way. */
function hashed(payload: Readable, hash: Hash): Transform {
  const passing = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk)
      next(null, chunk)
    },
  })
  // `pipe` would not pass the error on to the reader when the client disconnects.
  pipeline(payload, passing, () => undefined)
  return passing
}
