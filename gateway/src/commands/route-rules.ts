/** The rules of `postern route put`: whom a route serves, and when another is better. */
import { carrierNames, isPrefix } from '../routes/numbering.ts'
import type { RouteRules } from '../routes/route.ts'
import { UsageError } from './command.ts'
import { listed, wholeNumber } from './route-values.ts'

export const ruleOptions = {
  prefixes: { type: 'string' },
  carriers: { type: 'string' },
  weight: { type: 'string', default: '1' },
  'min-delivery-rate': { type: 'string' },
  'failover-after-seconds': { type: 'string', default: '3' },
  'unknown-policy': { type: 'string', default: 'fail' },
} as const

export interface RuleValues {
  readonly prefixes?: string | undefined
  readonly carriers?: string | undefined
  readonly weight: string
  readonly 'min-delivery-rate'?: string | undefined
  readonly 'failover-after-seconds': string
  readonly 'unknown-policy': string
}

export function toRules(values: RuleValues): Omit<RouteRules, 'accounts'> {
  return {
    prefixes: listed(values.prefixes).map(checkPrefix),
    carriers: listed(values.carriers).map(checkCarrier),
    weight: wholeNumber('--weight', values.weight, 1, 1_000),
    minDeliveryRate: toRate(values['min-delivery-rate']),
    failoverAfterSeconds: wholeNumber(
      '--failover-after-seconds',
      values['failover-after-seconds'],
      0,
      86_400,
    ),
    unknownPolicy: toPolicy(values['unknown-policy']),
  }
}

function checkPrefix(prefix: string): string {
  if (!isPrefix(prefix))
    throw new UsageError(
      `'${prefix}' is no prefix; --prefixes wants domestic ones like 010 or +81 for a country`,
    )
  return prefix
}

export function checkCarrier(code: string): string {
  if (!Object.hasOwn(carrierNames, code)) {
    const known = Object.entries(carrierNames).map(([known, name]) => `${known} ${name}`)
    throw new UsageError(`unknown carrier '${code}'; known are ${known.join(', ')}`)
  }
  return code
}

function toRate(text: string | undefined): number | null {
  if (text === undefined) return null
  const rate = Number(text)
  if (!/^[\d.]+$/.test(text) || !(rate > 0 && rate <= 1))
    throw new UsageError(`--min-delivery-rate wants a share above 0 and up to 1 (0.9 is 90 %), not '${text}'`)
  return rate
}

function toPolicy(text: string): RouteRules['unknownPolicy'] {
  if (text !== 'fail' && text !== 'resend')
    throw new UsageError(`--unknown-policy is 'fail' or 'resend', not '${text}'`)
  return text
}
