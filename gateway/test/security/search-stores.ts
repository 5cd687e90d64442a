/**
 * Searches all stores of an installation for known values. Each function returns the locations of the values
 * that it found.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { Connection } from 'rabbitmq-client'
import { serviceUrls } from '../../../tools/engines/index.ts'
import { requireSet } from '../../../tools/engines/service-set.ts'
import { createTopology } from '../../src/jobs/queues.ts'
import type { Environment } from '../support/processes/postern-command.ts'

/**
 * Returns the value in plaintext, in hexadecimal (as PostgreSQL prints bytes), and in base64 at each of the
 * three offsets.
 */
function formsOf(canary: string): Buffer[] {
  const bytes = Buffer.from(canary)
  const shifted = [0, 1, 2].map((n) =>
    Buffer.concat([Buffer.alloc(n), bytes])
      .toString('base64')
      .slice(n === 0 ? 0 : n + 1, -4),
  )
  return [canary, bytes.toString('hex'), ...shifted].map((text) => Buffer.from(text))
}

function find(where: string, content: Buffer, canaries: readonly string[]): string[] {
  return canaries
    .filter((canary) => formsOf(canary).some((form) => content.includes(form)))
    .map((canary) => `${canary} is in ${where}`)
}

/** Searches every row of every table. */
export async function searchDatabase(url: string, canaries: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    const found: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
      found.push(...find(`the table ${name}`, Buffer.from(rows.map(({ row }) => row).join('\n')), canaries))
    }
    return found
  } finally {
    await client.end()
  }
}

/** Searches readable queues, and the files of the broker if it belongs to this project. */
export async function searchBroker(environment: Environment, canaries: readonly string[]): Promise<string[]> {
  const [url] = environment['POSTERN_BROKER_URLS']!.split(',')
  const connection = new Connection({ url: url!, acquireTimeout: 5_000 })
  connection.on('error', () => undefined)
  const found: string[] = []
  try {
    const { accepted, receipts, parked } = createTopology(environment['POSTERN_QUEUE_PREFIX']!)
    for (const { name } of [...Object.values(accepted), receipts, parked]) {
      // The messages are not acknowledged: they return to the queue when the channel closes.
      const channel = await connection.acquire()
      try {
        for (;;) {
          const message = await channel.basicGet({ queue: name, noAck: false })
          if (message === undefined) break
          const body: unknown = message.body
          const bytes = Buffer.isBuffer(body)
            ? body
            : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
          found.push(...find(`the queue ${name}`, bytes, canaries))
        }
      } finally {
        await channel.close()
      }
    }
  } finally {
    await connection.close()
  }
  return [...found, ...searchBrokerFiles(environment, canaries)]
}

function searchBrokerFiles(environment: Environment, canaries: readonly string[]): string[] {
  let directory: string
  try {
    if (serviceUrls().brokerUrls.join(',') !== environment['POSTERN_BROKER_URLS']) return []
    directory = requireSet().paths.directory
  } catch {
    return []
  }
  // Values are generated when this process starts: older files, which may be gigabytes, contain none.
  return filesOf(directory)
    .filter((path) => /rabbit/.test(relative(directory, path)))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= performance.timeOrigin)
    .flatMap((path) => find(`the broker's file ${relative(directory, path)}`, readIfThere(path), canaries))
}

/** Ignores files and folders that the broker removes in the meantime, such as those of deleted queues. */
function filesOf(folder: string): string[] {
  const entries = ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? []
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesOf(path)
    return entry.isFile() ? [path] : []
  })
}

const readIfThere = (path: string): Buffer => ifThere(() => readFileSync(path)) ?? Buffer.alloc(0)

function ifThere<Found>(read: () => Found): Found | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Searches every value under the prefix of the installation. */
export async function searchRedis(environment: Environment, canaries: readonly string[]): Promise<string[]> {
  const url = environment['POSTERN_REDIS_URL']
  if (url === undefined) return []
  const redis = new Redis(url)
  const found: string[] = []
  try {
    for await (const keys of redis.scanStream({
      match: `${environment['POSTERN_QUEUE_PREFIX']}*`,
    }) as AsyncIterable<string[]>)
      for (const key of keys)
        found.push(...find(`the Redis key ${key}`, await readValue(redis, key), canaries))
  } finally {
    redis.disconnect()
  }
  return found
}

async function readValue(redis: Redis, key: string): Promise<Buffer> {
  const values: Readonly<Record<string, () => Promise<unknown>>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, '0', '-1'),
  }
  const type = await redis.type(key)
  const read = values[type]
  if (read === undefined && type !== 'none') throw new Error(`the Redis type ${type} is not searched`)
  return Buffer.from(key + JSON.stringify((await read?.()) ?? ''))
}

/** Searches all logs in the folder. The installation must have no simulated carrier, which may log what it received. */
export function searchLogs(directory: string, canaries: readonly string[]): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) => find(`the log ${file}`, readFileSync(join(directory, file)), canaries))
}
