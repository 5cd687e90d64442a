/**
 * Applies a rate limit to a family of endpoints: a request over the limit gets A020 before it reaches the
 * endpoint. Accounts without a limit cost nothing here, not even a promise.
 */
import { requireAccount } from '../../../identity/accounts/request-account.ts'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Account, EndpointFamily } from '../../../identity/accounts/account.ts'
import { rateLimitExceeded, type Problem } from '../../../contract/problem.ts'
import { toRateLimit } from '../../../platform/limiter/bucket.ts'
import type { Limiter } from '../../../platform/limiter/limiter.ts'

export interface LimitOptions {
  readonly limiter: Limiter
  /** Requests per second for accounts without their own limit; 0 means no limit. */
  readonly defaults: Readonly<Record<EndpointFamily, number>>
}

/** Returns how much a request counts; may read the body. */
export type RequestCost = (request: FastifyRequest) => number

export function withRateLimit(
  family: EndpointFamily,
  options: LimitOptions,
  routes: FastifyPluginCallback,
  costOf?: RequestCost,
): FastifyPluginCallback {
  const { limiter, defaults } = options

  function check(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const account = requireAccount(request)
    const perSecond = account.limits[family] ?? defaults[family]
    if (perSecond === 0) {
      done()
      return
    }
    const limit = toRateLimit(perSecond)
    const cost = costOf === undefined ? 1 : costOf(request)
    limiter.consume(keyOf(account, family), limit, cost).then((decision) => {
      reply.headers({
        'ratelimit-limit': String(limit.burst),
        'ratelimit-remaining': String(decision.remaining),
        'ratelimit-reset': String(decision.resetSeconds),
      })
      if (decision.granted) done()
      else done(exceeded(family, perSecond, decision.retryAfterSeconds))
    }, done)
  }

  return (server, _options, done) => {
    // A cost is computed from the body; otherwise a request is refused before its body is read.
    if (costOf === undefined) server.addHook('onRequest', check)
    else server.addHook('preHandler', check)
    server.register(routes)
    done()
  }
}

/** Returns the Redis key of the account's limit, which HTTP and SMPP share. */
function keyOf({ id }: Pick<Account, 'id'>, family: EndpointFamily): string {
  return `rate:${id}:${family}`
}

/**
 * Consumes from the limit for protocols other than HTTP. Returns null if the account has no limit, and
 * rejects with A020 if it is exceeded.
 */
export function consumeLimit(
  account: Pick<Account, 'id' | 'limits'>,
  family: EndpointFamily,
  { limiter, defaults }: LimitOptions,
): Promise<void> | null {
  const perSecond = account.limits[family] ?? defaults[family]
  if (perSecond === 0) return null
  return limiter.consume(keyOf(account, family), toRateLimit(perSecond), 1).then((decision) => {
    if (!decision.granted) throw exceeded(family, perSecond, decision.retryAfterSeconds)
  })
}

function exceeded(family: EndpointFamily, perSecond: number, retryAfterSeconds: number): Problem {
  const allowance =
    family === 'send' ? `send to ${perSecond} destinations` : `make ${perSecond} ${family} requests`
  return rateLimitExceeded(`the account may ${allowance} per second`, retryAfterSeconds)
}
