/**
 * Redis as we use it: small scripts, so that what is read and written together is one step, and answers that are
 * waited for only so long. What is in Redis may be lost; whoever uses it says what happens then.
 */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

export type Script = (redis: Redis, key: string, args: readonly (string | number)[]) => Promise<unknown>

/** A script of one key, sent by its digest and in full only to a server that does not know it. */
export function createScript(lua: string): Script {
  const digest = createHash('sha1').update(lua).digest('hex')
  return async (redis, key, args) => {
    try {
      return await redis.evalsha(digest, 1, key, ...args)
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
      return redis.eval(lua, 1, key, ...args)
    }
  }
}

/** Redis did not answer in time; what it was asked may be done all the same. */
export class RedisTimeout extends Error {
  override readonly name = 'RedisTimeout'
}

export async function withRedisTimeout<T>(limitMs: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  let settled = false
  const timer = setTimeout(() => {
    // A process that was itself held up must not blame Redis: the answer may lie in the socket already.
    setImmediate(() => {
      if (!settled) late.reject(new RedisTimeout(`Redis did not answer within ${limitMs} ms`))
    })
  }, limitMs)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    settled = true
    clearTimeout(timer)
  }
}
