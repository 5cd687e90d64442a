/**
 * Resources that every role opens before it starts and closes when it stops: log, metrics, PostgreSQL, broker, Redis.
 */
import { Redis } from 'ioredis'
import { openBroker, type Broker } from '../platform/broker/broker.ts'
import { RedeliveryGuard } from '../platform/broker/redelivery.ts'
import { createTopology, type Topology } from '../jobs/queues.ts'
import { MessageTrace } from '../jobs/message-trace.ts'
import type { Config } from '../platform/settings/config.ts'
import { openDatabase, type Database } from '../platform/database/database.ts'
import { openEncryption, type Encryption } from '../platform/encryption/encryption.ts'
import { createLimiter, type Limiter } from '../platform/limiter/limiter.ts'
import { createLog, type Log } from '../platform/logging/log.ts'
import { redisTls } from '../platform/settings/tls.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { Membership } from '../platform/membership/membership.ts'
import { openHeartbeatDatabase } from '../platform/membership/tables.ts'
import { processId } from '../platform/process-id.ts'
import { SpanExporter } from '../platform/tracing/exporter.ts'

export interface Runtime {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  /** Undefined unless tracing is on. */
  readonly trace?: MessageTrace | undefined
  readonly database: Database
  readonly broker: Broker
  readonly topology: Topology
  readonly redis: Redis | undefined
  readonly limiter: Limiter
  readonly encryption: Encryption
  close(): Promise<void>
}

/** The runtime of roles that take part in the membership, such as owners of partitions. */
export interface MemberRuntime extends Runtime {
  /** Joins the membership with the first call; `close` leaves it. */
  join(): Membership
}

export function openRuntime(config: Config, role: string): MemberRuntime {
  const encryption = openEncryption(config)
  const log = createLog(config.logLevel, role)
  const metrics = createMetrics(config.cell)
  const exporter = openExporter(config, role, log, metrics)
  const database = openDatabase(config.databaseUrl, log, {
    connections: 16,
    onlyIndexPlans: true,
    onStatement: (statement) => metrics.statements.inc({ statement }),
  })
  const redis = openRedis(config, log)
  const broker = openBroker(
    config.brokerUrls,
    config.publishTimeoutMs,
    log,
    (queue, silent) => metrics.queueUnconfirmed.set({ queue }, silent ? 1 : 0),
    { caFile: config.brokerCaFile, certFile: config.brokerCertFile, keyFile: config.brokerKeyFile },
    new RedeliveryGuard({ redis, keyPrefix: config.queuePrefix }),
  )
  // The library calls `collect` at every scrape; its types know it only as an option of the constructor.
  Object.assign(metrics.brokerAvailable, {
    collect: () => metrics.brokerAvailable.set(broker.canPublish ? 1 : 0),
  })
  const heartbeats = openHeartbeatDatabase(config.databaseUrl)
  let membership: Membership | undefined
  return {
    config,
    log,
    metrics,
    trace: exporter === undefined ? undefined : new MessageTrace(exporter, Number(config.traceRatio)),
    database,
    broker,
    topology: createTopology(config.queuePrefix),
    redis,
    limiter: createLimiter({
      redis,
      keyPrefix: config.queuePrefix,
      waitMs: config.limitWaitMs,
      // The admin role limits so rarely that its last view of Redis would be outdated, so it exports none.
      metrics: role === 'admin' ? undefined : metrics,
      log,
    }),
    encryption,
    join: () => (membership ??= new Membership({ heartbeats, database, role, log })),
    async close() {
      await membership?.leave()
      await heartbeats.end()
      redis?.disconnect()
      await broker.close()
      await database.end()
      await exporter?.close()
    },
  }
}

function openExporter(
  { otlpUrl, cell }: Config,
  role: string,
  log: Log,
  metrics: Metrics,
): SpanExporter | undefined {
  if (otlpUrl === undefined) return undefined
  return new SpanExporter({
    url: otlpUrl,
    log,
    resource: {
      'service.name': 'postern',
      'service.instance.id': processId,
      'postern.role': role,
      'postern.cell': cell,
    },
    onResult: (result, spans) => metrics.spans.inc({ result }, spans),
  })
}

export function openRedis(
  {
    redisUrl,
    redisCaFile: caFile,
    redisCertFile: certFile,
    redisKeyFile: keyFile,
  }: Pick<Config, 'redisUrl' | 'redisCaFile' | 'redisCertFile' | 'redisKeyFile'>,
  log: Log,
): Redis | undefined {
  if (redisUrl === undefined) return undefined
  const tls = redisTls(redisUrl, { caFile, certFile, keyFile }, (err) =>
    log.error(
      { err },
      'cannot use the TLS files for Redis; keeping those read before. Correct them: the next connection reads them again',
    ),
  )
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A hanging Redis must not delay requests: after this time they are served without it.
    commandTimeout: 1_000,
    ...(tls === undefined ? {} : { tls }),
  })
  let unavailable = false
  redis.on('error', (error) => {
    if (!unavailable)
      log.warn(
        { err: error },
        'Redis is unavailable; reconnecting. Until then each process enforces rate limits locally, and sends with an Idempotency-Key are refused. Check POSTERN_REDIS_URL and the server',
      )
    unavailable = true
  })
  redis.on('ready', () => {
    if (unavailable) log.info({}, 'Redis is available again')
    unavailable = false
  })
  return redis
}
