/** `postern route put`: saves the whole route. Everything is checked before the first write. */
import { loadAccounts } from '../../accounts/queries.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { kindOf, readOptions } from '../../connectors/registry.ts'
import type { Database } from '../../platform/database.ts'
import { upsertRoute } from '../../routes/queries.ts'
import type { RouteLink, RouteRules } from '../../routes/route.ts'
import { noSuchAccount } from '../account/view.ts'
import { withSecrets } from '../connect.ts'
import { UsageError } from '../errors.ts'
import { readList } from '../options.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { SecretSetting } from '../setting-lists.ts'

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

export async function putRoute(
  invocation: Invocation<SecretSetting>,
  id: string,
  given: PutOptions,
): Promise<Result> {
  const link: RouteLink = {
    id,
    channels: given.channels,
    protocol: given.protocol,
    options: readLinkOptions(given.protocol, given.options),
    priority: given.priority,
    partsPerSecond: given.partsPerSecond,
    enabled: given.disabled !== true,
  }
  checkLink(link)
  if (given.owners > 1 && kindOf(given.protocol).severalOwners !== true)
    throw new UsageError(
      `--owners must be 1 with --protocol ${given.protocol}: its owners would take results from each other. Use several routes, each with a login of its own`,
    )
  if (given.partsPerSecond > 0 && given.owners > given.partsPerSecond)
    throw new UsageError(
      `--owners must not exceed --parts-per-second (${given.partsPerSecond}): each owner sends an equal share of it`,
    )
  const rules: Omit<RouteRules, 'accounts'> = {
    prefixes: given.prefixes ?? [],
    carriers: given.carriers ?? [],
    weight: given.weight,
    minDeliveryRate: given.minDeliveryRate ?? null,
    failoverAfterSeconds: given.failoverAfterSeconds,
    unknownPolicy: given.unknownPolicy,
    owners: given.owners,
  }
  await withSecrets(invocation, async (database, _config, cipher, audit) => {
    const accounts = await findAccounts(database, readList(given.accounts ?? ''))
    await audit.change(async (transaction) => {
      await upsertRoute(transaction, { ...link, ...rules, accounts }, cipher)
      // Without the options of the link: they may hold secrets.
      const shown = { ...link, options: undefined }
      return [null, { target: id, details: { ...shown, ...rules, accounts: readList(given.accounts ?? '') } }]
    })
  })
  return { json: { id }, lines: [`route ${id} saved; running workers follow within two seconds`] }
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

function checkLink({ protocol, channels, options }: RouteLink): void {
  try {
    readOptions(protocol, options)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const { name, channels: carried } = kindOf(protocol)
  const foreign = channels.find((channel) => !carried.includes(channel))
  if (foreign !== undefined)
    throw new UsageError(`--channels: ${name} carries ${carried.join(', ')}, not ${foreign}`)
}

async function findAccounts(database: Database, clientIds: readonly string[]): Promise<number[]> {
  if (clientIds.length === 0) return []
  const ids = new Map((await loadAccounts(database)).map(({ clientId, id }) => [clientId, id]))
  return clientIds.map((clientId) => {
    const id = ids.get(clientId)
    if (id === undefined) throw noSuchAccount(clientId)
    return id
  })
}
