import type { Config } from '../../platform/settings/config.ts'
import { ConfigError, environmentName } from '../../platform/settings/config.ts'
import { createGuard, type Guard } from './guard.ts'

export type WebhookConfig = Pick<
  Config,
  'webhookAllowedNetworks' | 'webhookPorts' | 'webhookHttp' | 'webhookRetrySeconds' | 'webhookDisableSeconds'
>

/** Throws ConfigError if an allowed network is invalid. */
export function guardFromConfig(
  config: Pick<WebhookConfig, 'webhookAllowedNetworks' | 'webhookPorts' | 'webhookHttp'>,
): Guard {
  const { webhookAllowedNetworks = [], webhookPorts = [], webhookHttp } = config
  try {
    return createGuard({
      allowedNetworks: webhookAllowedNetworks,
      ports: webhookPorts.map(Number),
      allowHttp: webhookHttp === 'yes',
    })
  } catch (error) {
    throw new ConfigError(`${environmentName('webhookAllowedNetworks')}: ${(error as Error).message}`)
  }
}

export function retrySettings({ webhookRetrySeconds, webhookDisableSeconds }: WebhookConfig): {
  readonly scheduleMs: readonly number[]
  readonly disableAfterMs: number
} {
  return {
    scheduleMs: webhookRetrySeconds.map((seconds) => Number(seconds) * 1000),
    disableAfterMs: webhookDisableSeconds * 1000,
  }
}
