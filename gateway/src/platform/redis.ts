/**
 * Helpers for Redis: Lua scripts, so that a read and the write that depends on it are atomic, and a timeout
 * for every reply. Data in Redis may be lost; each caller documents the consequence.
 */
import type { Redis } from 'ioredis'

export type Script = (
  redis: Redis,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>

/** Defines a Lua script as a command of the client, which sends it by its digest. */
export function defineScript(name: string, lua: string): Script {
  return async (redis, keys, args) => {
    if (!(name in redis)) redis.defineCommand(name, { lua })
    const commands = redis as unknown as Record<string, (...args: (string | number)[]) => Promise<unknown>>
    return commands[name]!(keys.length, ...keys, ...args)
  }
}

/** Redis did not reply in time; the command may have been executed. */
export class RedisTimeout extends Error {
  override readonly name = 'RedisTimeout'
}

export async function withRedisTimeout<T>(limitMs: number, reply: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  let settled = false
  const timer = setTimeout(() => {
    // If this process was blocked, the reply may already be in the socket: read it before giving up.
    setImmediate(() => {
      if (!settled) late.reject(new RedisTimeout(`Redis did not reply within ${limitMs} ms`))
    })
  }, limitMs)
  try {
    return await Promise.race([reply, late.promise])
  } finally {
    settled = true
    clearTimeout(timer)
  }
}
