/**
 * Applies a rate limit to a family of endpoints: a request over the limit is answered with A020 before it reaches the
 * endpoint. An account without a limit costs nothing here, not even a promise.
 */
import { requireAccount } from '../../accounts/request-account.ts'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Account, Family } from '../../accounts/account.ts'
import { rateLimitExceeded, type Problem } from '../../contract/problem.ts'
import { paceOf } from '../../platform/limiter/bucket.ts'
import type { Limiter } from '../../platform/limiter/limiter.ts'

export interface LimitOptions {
  readonly limiter: Limiter
  /** Requests per second for accounts without a limit of their own; 0 means no limit. */
  readonly defaults: Readonly<Record<Family, number>>
}

/** How much a request counts; may read the body. */
export type CostOf = (request: FastifyRequest) => number

export function limited(
  family: Family,
  options: LimitOptions,
  routes: FastifyPluginCallback,
  costOf?: CostOf,
): FastifyPluginCallback {
  const { limiter, defaults } = options

  function check(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const account = requireAccount(request)
    const perSecond = account.limits[family] ?? defaults[family]
    if (perSecond === 0) {
      done()
      return
    }
    const pace = paceOf(perSecond)
    const cost = costOf === undefined ? 1 : costOf(request)
    limiter.consume(keyOf(account, family), pace, cost).then((decision) => {
      reply.headers({
        'ratelimit-limit': String(pace.burst),
        'ratelimit-remaining': String(decision.remaining),
        'ratelimit-reset': String(decision.resetSeconds),
      })
      if (decision.granted) done()
      else done(exceeded(family, perSecond, decision.retryAfterSeconds))
    }, done)
  }

  return (server, _options, done) => {
    // The cost is read from the body; without one, a request is refused before its body is read.
    if (costOf === undefined) server.addHook('onRequest', check)
    else server.addHook('preHandler', check)
    server.register(routes)
    done()
  }
}

/** One allowance for the account, whichever way its requests come. */
function keyOf({ id }: Pick<Account, 'id'>, family: Family): string {
  return `rate:${id}:${family}`
}

/** For ways in that are not HTTP. Throws A020 when the account is over its limit; null: it has none, and need not wait. */
export function takeLimit(
  account: Pick<Account, 'id' | 'limits'>,
  family: Family,
  { limiter, defaults }: LimitOptions,
): Promise<void> | null {
  const perSecond = account.limits[family] ?? defaults[family]
  if (perSecond === 0) return null
  return limiter.consume(keyOf(account, family), paceOf(perSecond), 1).then((decision) => {
    if (!decision.granted) throw exceeded(family, perSecond, decision.retryAfterSeconds)
  })
}

function exceeded(family: Family, perSecond: number, retryAfterSeconds: number): Problem {
  const share =
    family === 'send' ? `send to ${perSecond} destinations` : `make ${perSecond} ${family} requests`
  return rateLimitExceeded(`the account may ${share} a second`, retryAfterSeconds)
}
