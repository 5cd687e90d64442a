/** The settings of a webhook as options of `postern webhook add` and `postern webhook set`. Pure. */
import { Option } from 'commander'
import {
  acknowledgements,
  webhookDefaults,
  webhookEvents,
  type WebhookSettings,
} from '../../webhooks/webhook.ts'
import { UsageError } from '../errors.ts'
import { checked, oneOf, onOrOff, wholeNumber } from '../options.ts'

export interface WebhookOptions {
  readonly url?: string
  readonly name?: string
  readonly perSecond?: number
  readonly concurrency?: number
  readonly timeout?: number
  readonly acknowledgement?: WebhookSettings['acknowledgement']
  readonly notices?: boolean
  readonly enabled?: boolean
}

const maxName = 100

export function urlOption(): Option {
  return new Option('--url <url>', 'address that receives the reports by POST')
}

export function webhookOptions(): Option[] {
  const { perSecond, concurrency, timeoutSeconds, acknowledgement } = webhookDefaults
  const standard = (value: string | number): string => `(a new webhook's: ${value})`
  return [
    checked('--name <text>', `name for people, at most ${maxName} characters`, (text, option) => {
      if (text.length <= maxName) return text
      throw new UsageError(`${option} must have at most ${maxName} characters, not ${text.length}`)
    }),
    wholeNumber('--per-second <n>', `pushes per second ${standard(perSecond)}`, { min: 1, max: 1_000 }),
    wholeNumber('--concurrency <n>', `pushes at the same time ${standard(concurrency)}`, {
      min: 1,
      max: 100,
    }),
    wholeNumber('--timeout <seconds>', `how long a push waits for its response ${standard(timeoutSeconds)}`, {
      min: 1,
      max: 30,
    }),
    oneOf(
      '--acknowledgement <kind>',
      `what acknowledges a push: the msgKey in the response, or any 2xx status ${standard(acknowledgement)}`,
      acknowledgements,
    ),
    ...onOrOff('notices', 'notify it when another webhook is disabled (the default)', 'send it no notices'),
    ...onOrOff(
      'enabled',
      'push to it (the default)',
      'stop pushing to it; reports stay available by polling',
    ),
  ]
}

/** Of a new webhook: its position counts in the order of what it receives. */
export function eventsOption(): Option {
  return oneOf('--events <kind>', 'what it receives (default: reports)', webhookEvents)
}

/** The settings that the options name, and no others. */
export function toWebhookSettings(given: WebhookOptions): Partial<WebhookSettings> {
  const { url, name, perSecond, concurrency, timeout, acknowledgement, notices, enabled } = given
  const all = {
    url,
    name,
    perSecond,
    concurrency,
    timeoutSeconds: timeout,
    acknowledgement,
    notices,
    enabled,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
