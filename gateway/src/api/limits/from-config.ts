/** Creates the limiter and the default limits from the configuration. */
import type { Redis } from 'ioredis'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { LimitOptions } from './http.ts'
import { createLimiter } from '../../platform/limiter/limiter.ts'

export interface LimitContext {
  readonly config: Config
  readonly redis: Redis | undefined
  readonly metrics: Metrics
  readonly log: Log
}

export function limitsFromConfig({ config, redis, metrics, log }: LimitContext): LimitOptions {
  const { queuePrefix: keyPrefix, limitWaitMs: waitMs } = config
  return {
    limiter: createLimiter({ redis, keyPrefix, waitMs, metrics, log }),
    defaults: {
      send: config.sendLimit,
      report: config.reportLimit,
      file: config.fileLimit,
      form: config.formLimit,
    },
  }
}
