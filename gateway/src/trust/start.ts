/** Checks the settings of the trust rules when a process starts. */
import { originFormOf, useOriginForm } from '../channels/origin-form.ts'
import { ConfigError } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { TrustState } from './cache.ts'
import type { TrustSettings } from './settings.ts'

export function checkTrustAtStart({ rules }: TrustState, settings: TrustSettings, log: Log): void {
  const { originCode } = settings
  const form = originFormOf(settings)
  useOriginForm(form)
  if (originCode !== undefined && !form.fits(originCode))
    throw new ConfigError(
      `POSTERN_ORIGIN_CODE must be ${form.words}; correct it, or set POSTERN_ORIGIN_PATTERN to the form of your registration number`,
    )
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
