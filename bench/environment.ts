/** Engines shared by all variants, with a new database and a queue prefix. close() removes the database and the queues. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { Connection } from 'rabbitmq-client'

export interface BenchEnvironment {
  readonly databaseUrl: string
  readonly brokerUrl: string
  readonly brokerUrls: string
  readonly redisUrl: string
  readonly queuePrefix: string
  readonly database: pg.Pool
  readonly broker: Connection
  /** Declares a quorum queue like the gateway's, which close() deletes. */
  declare(queue: string): Promise<void>
  /** Registers a queue declared by a gateway, so that close() deletes it as well. */
  deleteAtClose(queue: string): void
  close(): Promise<void>
}

/** `serverUrl` replaces the PostgreSQL of the environment. */
export async function openEnvironment(serverUrl = environment('DATABASE_URL')): Promise<BenchEnvironment> {
  const [brokerUrls, redisUrl] = ['BROKER_URLS', 'REDIS_URL'].map(environment)
  const name = `bench_${randomBytes(4).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await onServer(serverUrl, `create database ${name}`)
  const database = new pg.Pool({ connectionString: url.href, max: 2 })
  database.on('error', () => undefined)
  const brokerUrl = brokerUrls!.split(',')[0]!
  const broker = new Connection(brokerUrl)
  broker.on('error', (error) => process.stderr.write(`bench: broker: ${String(error)}\n`))
  const queues = new Set<string>()
  return {
    databaseUrl: url.href,
    brokerUrl,
    brokerUrls: brokerUrls!,
    redisUrl: redisUrl!,
    queuePrefix: `${name}.`,
    database,
    broker,
    async declare(queue) {
      queues.add(queue)
      await broker.queueDeclare({ queue, durable: true, arguments: { 'x-queue-type': 'quorum' } })
    },
    deleteAtClose: (queue) => void queues.add(queue),
    async close() {
      for (const queue of queues) await broker.queueDelete({ queue })
      await broker.close()
      await database.end()
      await onServer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

function environment(key: string): string {
  const value = process.env[`POSTERN_${key}`]
  if (value === undefined || value === '') {
    throw new Error(`POSTERN_${key} is required; \`npm run suite -- bench\` starts the services and sets it`)
  }
  return value
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
