import { findChangedAddress } from '../../carriers/connectors/options/link-addresses.ts'
import { findKind } from '../../carriers/connectors/registry.ts'
import { mask } from '../../carriers/connectors/options/secrets.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { loadRoutes } from '../../carriers/routes/queries.ts'
import type { RouteLink } from '../../carriers/routes/route.ts'
import { wrongField, type OperationError } from '../errors.ts'

/**
 * Returns the options with masks replaced by stored secrets. Throws if no secret is stored, or if the link
 * would go to another address than the stored one: a caller must not choose who receives a secret that the
 * caller does not know.
 */
export async function unmaskOptions(
  database: Queryable,
  cipher: FieldCipher,
  { id, protocol, options }: Pick<RouteLink, 'id' | 'protocol' | 'options'>,
): Promise<Record<string, unknown>> {
  const path = findMask(options, 'options')
  const kind = findKind(protocol)
  // `checkRoute` refuses an unknown protocol.
  if (path === undefined || kind === undefined) return options
  const stored = (await loadRoutes(database, cipher)).find((route) => route.id === id)
  if (stored !== undefined && stored.protocol !== protocol) throw addressChanged(path, 'the protocol')
  const before = stored?.options ?? {}
  const unmasked = unmask(options, before, 'options') as Record<string, unknown>
  const different = findChangedAddress(kind, before, unmasked)
  if (different !== undefined) throw addressChanged(path, `'options.${different}'`)
  return unmasked
}

function addressChanged(path: string, subject: string): OperationError {
  return wrongField(
    path,
    `is masked, and ${subject} has changed; send the secret again, as env:NAME or as file:/path. A stored secret is only used for its original address`,
  )
}

/** Returns the path of the first masked value. */
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
      `is masked, but no secret is stored for it; send the secret, env:NAME or file:/path`,
    )
  }
  if (typeof given !== 'object' || given === null) return given
  const storedFields = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<
    string,
    unknown
  >
  if (Array.isArray(given))
    return given.map((item, index) => unmask(item, storedFields[index], `${path}.${index}`))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      unmask(value, storedFields[name], `${path}.${name}`),
    ]),
  )
}
