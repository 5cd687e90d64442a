/** Creates the runtime of a test's roles: its own database and queues, and the given settings. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import type { Topology } from '../../src/jobs/queues.ts'
import type { Broker } from '../../src/platform/broker/broker.ts'
import { loadConfig, settingNames, type Config } from '../../src/platform/settings/config.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { openEncryption } from '../../src/platform/encryption/encryption.ts'
import { createLimiter } from '../../src/platform/limiter/limiter.ts'
import type { Log } from '../../src/platform/logging/log.ts'
import type { Metrics } from '../../src/platform/metrics.ts'
import type { MembershipOptions } from '../../src/platform/membership/membership.ts'
import type { MemberRuntime } from '../../src/roles/runtime.ts'
import { addCleanup } from './cleanup.ts'
import { joinMembers } from './membership.ts'
import { serviceUrl } from './engines/services.ts'
import { silentLog, testMetrics } from './silent-log.ts'

export interface TestRuntimeOptions extends Partial<Config> {
  readonly database: Database
  readonly broker: Broker
  readonly topology: Topology
  readonly redis?: Redis
  /** Silent by default. */
  readonly log?: Log
  readonly metrics?: Metrics
  /** Role of the member; defaults to worker. */
  readonly role?: MembershipOptions['role']
}

/** Limits and ports that would disturb unrelated tests. */
const testSettings: Partial<Config> = {
  httpPort: 0,
  sendLimit: 0,
  reportLimit: 0,
  fileLimit: 0,
  formLimit: 0,
  tokenRequestsPerMinute: 1_000,
  tokenFailuresPerMinute: 1_000,
  tokenAddressFailuresPerMinute: 1_000,
  idempotencyMegabytes: 0,
}

/** Settings are those of a new installation, except `testSettings` and the given ones. */
export function createTestRuntime(options: TestRuntimeOptions): MemberRuntime {
  const {
    database,
    broker,
    topology,
    redis,
    log = silentLog,
    metrics = testMetrics(),
    role = 'worker',
  } = options
  const given = Object.fromEntries(
    settingNames.filter((name) => name in options).map((name) => [name, options[name]]),
  )
  const config: Config = {
    ...loadConfig({
      POSTERN_DATABASE_URL: database.options.connectionString,
      POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
      POSTERN_TOKEN_SECRET: 'a secret of the tests that is long enough',
      POSTERN_QUEUE_PREFIX: topology.parked.name.replace(/parked$/, ''),
      POSTERN_FILE_FOLDER: createFileFolder(),
    }),
    ...testSettings,
    ...given,
  }
  return {
    config,
    log,
    metrics,
    database,
    broker,
    topology,
    redis,
    limiter: createLimiter({
      redis,
      keyPrefix: config.queuePrefix,
      waitMs: config.limitWaitMs,
      metrics,
      log,
    }),
    encryption: openEncryption(config),
    join: () => joinMembers(database, { role }),
    close: () => Promise.resolve(),
  }
}

function createFileFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'postern-files-'))
  addCleanup(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
