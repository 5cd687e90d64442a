/**
 * Helpers for Redis: Lua scripts, so that a read and the write that depends on it are atomic, and a time limit for every
 * reply. Data in Redis may be lost; each caller documents what happens then.
 */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

export type Script = (redis: Redis, key: string, args: readonly (string | number)[]) => Promise<unknown>

/** A Lua script with one key. It is called by its digest and sent in full only to a server that does not know it. */
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

/** Redis did not reply in time; the command may still have been executed. */
export class RedisTimeout extends Error {
  override readonly name = 'RedisTimeout'
}

export async function withRedisTimeout<T>(limitMs: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  let settled = false
  const timer = setTimeout(() => {
    // If this process was blocked, the reply may already be in the socket: read it before giving up.
    setImmediate(() => {
      if (!settled) late.reject(new RedisTimeout(`Redis did not reply within ${limitMs} ms`))
    })
  }, limitMs)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    settled = true
    clearTimeout(timer)
  }
}
