/** `postern route put`: saves the whole route. Everything is checked before the first write. */
import { checkRoute, saveRoute, type RoutePut } from '../../acts/put-route.ts'
import type { ChannelName } from '../../channels/channel.ts'
import type { RouteRules } from '../../routes/route.ts'
import { withSecrets } from '../connect.ts'
import { UsageError } from '../errors.ts'
import { readList } from '../options.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { RouteSecretSetting } from '../setting-lists.ts'

export interface PutOptions {
  readonly channels: readonly ChannelName[]
  readonly protocol: string
  readonly options?: string
  readonly priority: number
  readonly partsPerSecond: number
  readonly owners: number
  readonly disabled?: boolean
  readonly accounts?: string
  readonly prefixes?: readonly string[]
  readonly carriers?: readonly string[]
  readonly weight: number
  readonly minDeliveryRate?: number
  readonly failoverAfterSeconds: number
  readonly unknownPolicy: RouteRules['unknownPolicy']
}

const names = {
  ...{
    owners: '--owners',
    protocol: '--protocol',
    partsPerSecond: '--parts-per-second',
    channels: '--channels',
  },
} as const

export async function putRoute(
  invocation: Invocation<RouteSecretSetting>,
  id: string,
  given: PutOptions,
): Promise<Result> {
  const route = readRoute(id, given)
  checkRoute(route, (field) => names[field])
  await withSecrets(invocation, (_database, _config, cipher, audit) => saveRoute(audit, cipher, route))
  return savedResult(id)
}

export function savedResult(id: string): Result {
  return { json: { id }, lines: [`route ${id} saved; running workers follow within two seconds`] }
}

export function readRoute(id: string, given: PutOptions): RoutePut {
  return {
    ...{ id, channels: given.channels, protocol: given.protocol },
    options: readLinkOptions(given.protocol, given.options),
    ...{ priority: given.priority, partsPerSecond: given.partsPerSecond, enabled: given.disabled !== true },
    prefixes: given.prefixes ?? [],
    carriers: given.carriers ?? [],
    weight: given.weight,
    minDeliveryRate: given.minDeliveryRate ?? null,
    failoverAfterSeconds: given.failoverAfterSeconds,
    unknownPolicy: given.unknownPolicy,
    owners: given.owners,
    accounts: readList(given.accounts ?? ''),
  }
}

function readLinkOptions(protocol: string, json: string | undefined): Record<string, unknown> {
  if (json === undefined && protocol === 'sandbox') return {}
  if (json === undefined)
    throw new UsageError(
      `--options is missing: the link as a JSON object; postern route put --help ${protocol} lists its options`,
    )
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new UsageError(`--options is not JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--options must be a JSON object, such as {"host":"smsc.example","port":2775}')
  return value as Record<string, unknown>
}
