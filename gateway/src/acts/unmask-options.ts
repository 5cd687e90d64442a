/** A route that is saved as it was shown, with masks in the place of secrets. Called by the admin API. */
import { findChangedAddress } from '../connectors/link-addresses.ts'
import { findKind } from '../connectors/registry.ts'
import { mask } from '../connectors/secrets.ts'
import type { Queryable } from '../platform/database.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import { loadRoutes } from '../routes/queries.ts'
import type { RouteLink } from '../routes/route.ts'
import { wrongField, type OperationError } from './errors.ts'

/**
 * The options with stored secrets in the place of masks. Throws where nothing is stored, and where the link would go to
 * another place than the stored one: whoever changes a route must not choose who gets a secret that they do not know.
 */
export async function unmaskOptions(
  database: Queryable,
  cipher: FieldCipher,
  { id, protocol, options }: Pick<RouteLink, 'id' | 'protocol' | 'options'>,
): Promise<Record<string, unknown>> {
  const path = findMask(options, 'options')
  const kind = findKind(protocol)
  // An unknown protocol is refused by `checkRoute`.
  if (path === undefined || kind === undefined) return options
  const stored = (await loadRoutes(database, cipher)).find((route) => route.id === id)
  if (stored !== undefined && stored.protocol !== protocol) throw otherPlace(path, 'the protocol')
  const before = stored?.options ?? {}
  const unmasked = unmask(options, before, 'options') as Record<string, unknown>
  const different = findChangedAddress(kind, before, unmasked)
  if (different !== undefined) throw otherPlace(path, `'options.${different}'`)
  return unmasked
}

function otherPlace(path: string, what: string): OperationError {
  return wrongField(
    path,
    `is a mask, and ${what} is different: give the secret again, env:NAME or file:/path. A stored secret is only used at the address that it was given for`,
  )
}

/** The path of the first one. */
function findMask(given: unknown, path: string): string | undefined {
  if (given === mask) return path
  if (typeof given !== 'object' || given === null) return undefined
  for (const [name, value] of Object.entries(given)) {
    const found = findMask(value, `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function unmask(given: unknown, stored: unknown, path: string): unknown {
  if (given === mask) {
    if (typeof stored === 'string') return stored
    throw wrongField(
      path,
      `is a mask, and no secret is stored in its place; send the secret, env:NAME or file:/path`,
    )
  }
  if (typeof given !== 'object' || given === null) return given
  const former = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  if (Array.isArray(given)) return given.map((one, index) => unmask(one, former[index], `${path}.${index}`))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, unmask(value, former[name], `${path}.${name}`)]),
  )
}
