/** The settings of a webhook as options of `postern webhook add` and `postern webhook set`. Pure. */
import type { parseArgs } from 'node:util'
import { acknowledgements, type WebhookSettings } from '../webhooks/webhook.ts'
import { UsageError } from './command.ts'

export const webhookSettingsUsage =
  '[--name TEXT] [--per-second 1-1000] [--concurrency 1-100] [--timeout 1-30] [--acknowledgement msgKey|status] [--no-notices] [--no-enabled]'

export const webhookOptions = {
  url: { type: 'string' },
  name: { type: 'string' },
  'per-second': { type: 'string' },
  concurrency: { type: 'string' },
  timeout: { type: 'string' },
  acknowledgement: { type: 'string' },
  notices: { type: 'boolean' },
  enabled: { type: 'boolean' },
} as const

type Given = ReturnType<typeof parseArgs<{ options: typeof webhookOptions }>>['values']

/** What the options name, and nothing else. */
export function readWebhookSettings(given: Given): Partial<WebhookSettings> {
  const acknowledgement = acknowledgements.find((known) => known === given.acknowledgement)
  if (given.acknowledgement !== undefined && acknowledgement === undefined)
    throw new UsageError(`--acknowledgement wants ${acknowledgements.join(' or ')}`)
  if (given.name !== undefined && given.name.length > 100)
    throw new UsageError('--name wants at most 100 characters')
  const all = {
    url: given.url,
    name: given.name,
    perSecond: readWhole('--per-second', given['per-second'], 1000),
    concurrency: readWhole('--concurrency', given.concurrency, 100),
    timeoutSeconds: readWhole('--timeout', given.timeout, 30),
    acknowledgement,
    notices: given.notices,
    enabled: given.enabled,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function readWhole(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > most) throw new UsageError(`${option} wants a whole number from 1 to ${most}`)
  return value
}
