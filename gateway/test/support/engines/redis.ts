/**
 * Connections to the real Redis and a key prefix for one test file. The connections are closed and the keys
 * removed when the file ends. Never touches other keys: several files use the same Redis at once.
 */
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { addCleanup } from '../cleanup.ts'
import { serviceUrl } from './services.ts'
import { waitFor } from '../wait.ts'

export interface TestRedis {
  readonly redis: Redis
  readonly url: string
  readonly keyPrefix: string
}

export async function createTestRedis(): Promise<TestRedis> {
  const url = serviceUrl('POSTERN_REDIS_URL')
  const keyPrefix = `test-${randomBytes(6).toString('hex')}-`
  const redis = await openRedis(url)
  addCleanup(async () => {
    const keys = await redis.keys(`${keyPrefix}*`)
    if (keys.length > 0) await redis.del(keys)
  })
  return { redis, url, keyPrefix }
}

/** Opens another connection, for example through a proxy. */
export async function openRedis(to: string): Promise<Redis> {
  // Fail fast without Redis, like `roles/runtime.ts`, instead of queueing retries.
  const redis = new Redis(to, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
  redis.on('error', () => undefined)
  addCleanup(() => redis.disconnect())
  await waitFor('Redis', () => redis.status === 'ready')
  return redis
}
