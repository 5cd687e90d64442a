/** Saves and deletes whole routes, for commands and the admin API. Everything is checked before the first write. */
import type { ChannelName } from '../channels/channel.ts'
import { showOptions } from '../connectors/describe.ts'
import { describeAddress, listHosts } from '../connectors/link-addresses.ts'
import { OptionsError } from '../connectors/options.ts'
import { findKind, kindOf, readOptions } from '../connectors/registry.ts'
import { ConfigError } from '../platform/config.ts'
import type { Database, Queryable } from '../platform/database.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import { UnreadableFileError } from '../platform/secret-reference.ts'
import { countWaiting } from '../records/waiting/count-waiting.ts'
import { findAccountIds } from '../accounts/queries.ts'
import { deleteRoute, loadRoutes, lockRouteVersion, upsertRoute } from '../routes/queries.ts'
import type { RouteLink, RouteRules } from '../routes/route.ts'
import { changesBetween } from '../audit/changes.ts'
import { noSuchAccount } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { OperationError, wrongField } from './errors.ts'
import { clientIdsOf } from './list-routes.ts'
import { noSuchRoute } from './routes.ts'
import { checkSubscriberRoute } from './second-operator.ts'

export interface RoutePut extends RouteLink, Omit<RouteRules, 'accounts' | 'traffic'> {
  /** Client ids; empty: all. */
  readonly accounts: readonly string[]
}

export function checkRoute(route: RoutePut): void {
  const { protocol, owners, partsPerSecond } = route
  checkLink(route)
  if (owners > 1 && kindOf(protocol).severalOwners !== true)
    throw wrongField(
      'owners',
      `must be 1 with the protocol ${protocol}: its owners would take results from each other. Use several routes with separate logins`,
    )
  if (partsPerSecond > 0 && owners > partsPerSecond)
    throw wrongField(
      'owners',
      `must not exceed the rate of ${partsPerSecond} parts per second: each owner sends an equal share of it`,
      { max: partsPerSecond },
    )
}

function checkLink({ protocol, channels, options }: RouteLink): void {
  try {
    readOptions(protocol, options)
  } catch (error) {
    // A caller over the network must not learn which files exist on this machine.
    const message = error instanceof UnreadableFileError ? error.causeless : (error as Error).message
    const field = error instanceof OptionsError ? `options.${error.path}` : 'options'
    throw new OperationError('invalid-request', message, { field, facts: { protocol } })
  }
  const { name: kind, channels: carried } = kindOf(protocol)
  const foreign = channels.find((channel: ChannelName) => !carried.includes(channel))
  if (foreign !== undefined)
    throw wrongField('channels', `must be of ${carried.join(', ')}, which ${kind} carries, not ${foreign}`)
}

/** `version`: the one that the caller has read, null for a new route; undefined: whichever is stored is replaced. */
export async function saveRoute(
  audit: ActAudit,
  cipher: FieldCipher,
  { accounts, ...route }: RoutePut,
  version?: string | null,
): Promise<void> {
  await audit.change(async (transaction) => {
    if (version !== undefined) await requireVersion(transaction, route.id, version)
    const ids = await findAccountIds(transaction, accounts)
    const missing = accounts.find((clientId) => !ids.has(clientId))
    if (missing !== undefined) throw noSuchAccount(missing)
    await checkSubscriberRoute(transaction, audit, route)
    const before = await readPut(transaction, cipher, route.id)
    await upsertRoute(
      transaction,
      { ...route, accounts: accounts.map((clientId) => ids.get(clientId)!) },
      cipher,
    )
    return [null, { target: route.id, details: describePut(before, { ...route, accounts }) }]
  })
}

async function readPut(transaction: Queryable, cipher: FieldCipher, id: string): Promise<RoutePut | null> {
  const stored = (await loadRoutes(transaction, cipher)).find((route) => route.id === id)
  if (stored === undefined) return null
  const clientIds = await clientIdsOf(transaction, stored.accounts)
  return {
    ...stored,
    accounts: stored.accounts.map((account) => clientIds.get(account) ?? `account ${account}`),
  }
}

/**
 * For the audit log: a new route as a whole, of one that is replaced what is different. Secrets of its link are masked. The
 * hosts have a field of their own, which is never shortened, and so has the address, because long options are.
 */
function describePut(before: RoutePut | null, after: RoutePut): Readonly<Record<string, unknown>> {
  if (before === null) return { ...after, ...describeLink(after) }
  const changes = changesBetween({ ...before, ...describeLink(before) }, { ...after, ...describeLink(after) })
  const isSame = JSON.stringify(before.options) === JSON.stringify(after.options)
  return { ...changes, ...(isSame || 'options' in changes ? {} : { secrets: 'changed' }) }
}

function describeLink({ protocol, options }: RouteLink): Readonly<Record<string, unknown>> {
  const shown = showOptions(protocol, options).options
  const kind = findKind(protocol)
  return {
    protocol,
    ...(kind === undefined ? {} : { hosts: listHosts(kind, shown), address: describeAddress(kind, shown) }),
    options: shown,
  }
}

async function requireVersion(transaction: Queryable, id: string, version: string | null): Promise<void> {
  const stored = await lockRouteVersion(transaction, id)
  if (stored === version) return
  if (stored === null)
    throw new OperationError('stale', `route '${id}' does not exist; omit If-Match to create it`)
  throw new OperationError(
    'stale',
    version === null
      ? `route '${id}' exists; read it, and send its version as If-Match to replace it`
      : `route '${id}' has changed since it was read; read it again, and send its version as If-Match`,
  )
}

/** Returns how many steps wait for it. */
export async function removeRoute(
  database: Database,
  audit: ActAudit,
  cipher: FieldCipher,
  id: string,
  version?: string,
): Promise<{ waiting: number }> {
  const waiting = await countWaiting(database, id)
  await audit.change(async (transaction) => {
    if (version !== undefined) await requireVersion(transaction, id, version)
    const link = await describeStored(transaction, cipher, id)
    if (!(await deleteRoute(transaction, id))) throw noSuchRoute(id)
    return [null, { target: id, details: { waiting, ...link } }]
  })
  return { waiting }
}

/** A route can be deleted without the master key, too. */
async function describeStored(
  transaction: Queryable,
  cipher: FieldCipher,
  id: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const stored = (await loadRoutes(transaction, cipher)).find((route) => route.id === id)
    return stored === undefined ? {} : describeLink(stored)
  } catch (error) {
    if (error instanceof ConfigError) return { options: 'not read: the master key is missing or another one' }
    throw error
  }
}
