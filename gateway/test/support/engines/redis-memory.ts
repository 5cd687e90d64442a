/** Returns the memory of the keys with a prefix, in bytes as reported by Redis. */
import type { Redis } from 'ioredis'

export async function memoryUnder(redis: Redis, prefix: string): Promise<number> {
  let bytes = 0
  for await (const names of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    const pipeline = redis.pipeline()
    for (const name of names as string[]) pipeline.memory('USAGE', name)
    for (const [, usage] of (await pipeline.exec()) ?? []) bytes += Number(usage)
  }
  return bytes
}
