/** Saves and deletes whole routes. Everything is checked before the first write. */
import type { ChannelName } from '../../channels/channel.ts'
import { showOptions } from '../../carriers/connectors/describe.ts'
import { describeAddress, listHosts } from '../../carriers/connectors/options/link-addresses.ts'
import { OptionsError } from '../../carriers/connectors/options/options.ts'
import { findKind, getKind, readOptions } from '../../carriers/connectors/registry.ts'
import { ConfigError } from '../../platform/settings/config.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { UnreadableFileError } from '../../platform/settings/secret-reference.ts'
import { countWaiting } from '../../records/waiting/count-waiting.ts'
import { findAccountIds } from '../../identity/accounts/queries.ts'
import {
  deleteRoute,
  loadReviewedRoutes,
  loadRoutes,
  lockRouteVersion,
  setUnreviewedAuthors,
  upsertRoute,
} from '../../carriers/routes/queries.ts'
import type { RouteLink, RouteRules } from '../../carriers/routes/route.ts'
import { diffFields } from '../../identity/audit/diff-fields.ts'
import { noSuchAccount } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError, wrongField } from '../errors.ts'
import { findClientIds } from './list.ts'
import { noSuchRoute } from './changes.ts'
import { findUnreviewedAuthors } from '../operators/second-operator.ts'

export interface RoutePut extends RouteLink, Omit<RouteRules, 'accounts' | 'traffic'> {
  /** Client IDs; empty means all accounts. */
  readonly accounts: readonly string[]
}

export function checkRoute(route: RoutePut): void {
  const { protocol, owners, partsPerSecond } = route
  checkLink(route)
  if (owners > 1 && getKind(protocol).severalOwners !== true)
    throw wrongField(
      'owners',
      `must be 1 with the protocol ${protocol}, whose owners would consume results of each other; use several routes with separate logins`,
    )
  if (partsPerSecond > 0 && owners > partsPerSecond)
    throw wrongField(
      'owners',
      `must not exceed the rate of ${partsPerSecond} parts per second, which the owners share equally`,
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
  const { name: kind, channels: supported } = getKind(protocol)
  const unsupported = channels.find((channel: ChannelName) => !supported.includes(channel))
  if (unsupported !== undefined)
    throw wrongField('channels', `must be channels of ${kind} (${supported.join(', ')}), not ${unsupported}`)
}

/**
 * `version` is the version that the caller has read, or null for a new route; undefined replaces any stored
 * version.
 */
export async function saveRoute(
  audit: AuditRecorder,
  cipher: FieldCipher,
  { accounts, ...route }: RoutePut,
  version?: string | null,
): Promise<void> {
  await audit.change(async (transaction) => {
    if (version !== undefined) await requireVersion(transaction, route.id, version)
    const ids = await findAccountIds(transaction, accounts)
    const missing = accounts.find((clientId) => !ids.has(clientId))
    if (missing !== undefined) throw noSuchAccount(missing)
    const newHosts = await findNewHosts(transaction, cipher, route)
    const unreviewedBy = await findUnreviewedAuthors(transaction, audit, route, newHosts)
    const before = await readPut(transaction, cipher, route.id)
    await upsertRoute(
      transaction,
      { ...route, accounts: accounts.map((clientId) => ids.get(clientId)!) },
      cipher,
    )
    await setUnreviewedAuthors(transaction, route.id, unreviewedBy)
    return [null, { target: route.id, details: describePut(before, { ...route, accounts }) }]
  })
}

/** Returns the hosts of the link that no reviewed route has, including the stored version of this one. */
async function findNewHosts(
  transaction: Queryable,
  cipher: FieldCipher,
  link: RouteLink,
): Promise<readonly string[]> {
  const known = new Set((await loadReviewedRoutes(transaction, cipher)).flatMap(listHostsOf))
  return listHostsOf(link).filter((host) => !known.has(host))
}

function listHostsOf({ protocol, options }: RouteLink): string[] {
  const kind = findKind(protocol)
  return kind === undefined ? [] : listHosts(kind, options)
}

async function readPut(transaction: Queryable, cipher: FieldCipher, id: string): Promise<RoutePut | null> {
  const stored = (await loadRoutes(transaction, cipher)).find((route) => route.id === id)
  if (stored === undefined) return null
  const clientIds = await findClientIds(transaction, stored.accounts)
  return {
    ...stored,
    accounts: stored.accounts.map((account) => clientIds.get(account) ?? `account ${account}`),
  }
}

/**
 * Describes a change for the audit log: a new route as a whole, a replaced one by its differences. Secrets of
 * the link are masked. Hosts and address have their own fields, which are never truncated, because long
 * options are.
 */
function describePut(before: RoutePut | null, after: RoutePut): Readonly<Record<string, unknown>> {
  if (before === null) return { ...after, ...describeLink(after) }
  const changes = diffFields({ ...before, ...describeLink(before) }, { ...after, ...describeLink(after) })
  const isSame = JSON.stringify(before.options) === JSON.stringify(after.options)
  return { ...changes, ...(isSame || 'options' in changes ? {} : { secrets: 'changed' }) }
}

function describeLink({ protocol, options }: RouteLink): Readonly<Record<string, unknown>> {
  const maskedOptions = showOptions(protocol, options).options
  const kind = findKind(protocol)
  return {
    protocol,
    ...(kind === undefined
      ? {}
      : { hosts: listHosts(kind, maskedOptions), address: describeAddress(kind, maskedOptions) }),
    options: maskedOptions,
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

/** Deletes a route. Returns the number of steps that waited for it. */
export async function removeRoute(
  database: Database,
  audit: AuditRecorder,
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

/** Describes the stored route; deleting it must also work without the master key. */
async function describeStored(
  transaction: Queryable,
  cipher: FieldCipher,
  id: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const stored = (await loadRoutes(transaction, cipher)).find((route) => route.id === id)
    return stored === undefined ? {} : describeLink(stored)
  } catch (error) {
    if (error instanceof ConfigError) return { options: 'not read: the master key is missing or wrong' }
    throw error
  }
}
