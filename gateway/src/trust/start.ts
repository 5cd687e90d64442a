/** Checks the settings of the trust rules when a process starts, and sets the form of origin codes. */
import { createOriginForm, setOriginForm } from '../channels/origin-form.ts'
import { ConfigError } from '../platform/settings/config.ts'
import type { Log } from '../platform/logging/log.ts'
import type { TrustState } from './cache.ts'
import type { TrustSettings } from './settings.ts'

export function checkTrustAtStart({ rules }: TrustState, settings: TrustSettings, log: Log): void {
  const { originCode } = settings
  const form = createOriginForm(settings)
  setOriginForm(form)
  if (originCode !== undefined && !form.fits(originCode))
    throw new ConfigError(
      `POSTERN_ORIGIN_CODE must be ${form.description}; correct it, or set POSTERN_ORIGIN_PATTERN to match your registration number`,
    )
  if (rules.has('origin-code-present') && originCode === undefined)
    throw new ConfigError(
      'POSTERN_ORIGIN_CODE is not set, but the rule origin-code-present requires it; set it to your registration number, or run `postern trust disable origin-code-present --reason …`',
    )
  if (!rules.has('sender-number-registered'))
    log.warn(
      {},
      'sender numbers need no registration: every account can send from numbers of others. Register the senders of your accounts (`postern sender import`), then run `postern trust enable sender-number-registered --reason …`',
    )
}
