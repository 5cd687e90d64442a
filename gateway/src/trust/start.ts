/** What a process checks and says about the rules of trust when it starts. Called by `roles/`. */
import { ConfigError } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { TrustState } from './cache.ts'
import type { TrustSettings } from './settings.ts'

export function checkTrustAtStart({ rules }: TrustState, { originCode }: TrustSettings, log: Log): void {
  if (rules.has('origin-code-present') && originCode === undefined)
    throw new ConfigError(
      'POSTERN_ORIGIN_CODE is not set, and the rule origin-code-present demands it; set it to your registration number, or run `postern trust disable origin-code-present --reason …`',
    )
  if (!rules.has('sender-number-registered'))
    log.warn(
      {},
      'sender numbers are not checked: every account may send from every number. Register the senders of your accounts (`postern sender import`), then run `postern trust enable sender-number-registered --reason …`',
    )
}
