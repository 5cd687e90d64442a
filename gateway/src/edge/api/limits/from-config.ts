import type { Config } from '../../../platform/settings/config.ts'
import type { Limiter } from '../../../platform/limiter/limiter.ts'
import type { LimitOptions } from './http.ts'

export function limitsFromConfig({
  config,
  limiter,
}: {
  readonly config: Config
  readonly limiter: Limiter
}): LimitOptions {
  return {
    limiter,
    defaults: {
      send: config.sendLimit,
      report: config.reportLimit,
      file: config.fileLimit,
      form: config.formLimit,
    },
  }
}
