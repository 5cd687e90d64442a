/** Implements `postern route put`. */
import type { AdminClient } from '../client/client.ts'
import { hasCode } from '../../operations/errors.ts'
import type { Result } from '../result.ts'
import { FailedError } from '../errors.ts'
import type { RoutePut } from '../../operations/routes/put.ts'
import type { ChannelName } from '../../channels/channel.ts'
import type { RouteRules } from '../../carriers/routes/route.ts'
import { UsageError } from '../errors.ts'
import { readList } from '../options.ts'

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

export function savedResult(id: string): Result {
  return { json: { id }, lines: [`route ${id} saved; running workers apply it within two seconds`] }
}

export function readRoute(id: string, given: PutOptions): RoutePut {
  return {
    id,
    channels: given.channels,
    protocol: given.protocol,
    options: readLinkOptions(given.protocol, given.options),
    priority: given.priority,
    partsPerSecond: given.partsPerSecond,
    enabled: given.disabled !== true,
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
      `--options is required: the link as a JSON object. Run \`postern route put --help ${protocol}\` for its fields`,
    )
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new UsageError(`--options must be JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--options must be a JSON object, such as {"host":"smsc.example","port":2775}')
  return value as Record<string, unknown>
}

const maxTries = 5

/**
 * Replaces a route unconditionally. The admin API requires the version of the replaced route, so the command
 * reads it first.
 */
export async function putRoute(admin: AdminClient, id: string, given: PutOptions): Promise<Result> {
  const { id: routeId, ...route } = readRoute(id, given)
  const body = { ...route, carriers: route.carriers, ...admin.reason }
  for (let tries = 1; ; tries += 1) {
    const version = await readVersion(admin, routeId)
    try {
      await admin.call('putRoute', { params: { routeId }, body }, version)
      return savedResult(id)
    } catch (error) {
      // Another operator has replaced it in the meantime.
      if (!hasCode(error, 'stale')) throw error
      if (tries === maxTries)
        throw new FailedError(`route ${id} is being changed by another operator; run the command again`)
    }
  }
}

async function readVersion(admin: AdminClient, routeId: string): Promise<string | undefined> {
  try {
    return (await admin.call('showRoute', { params: { routeId } })).version
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined
    throw error
  }
}
