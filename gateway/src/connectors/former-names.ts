/**
 * Options under the names that they had before. A route that is stored with them is read as if it had the names of now, so
 * that an upgrade changes no row: the options may be encrypted, and processes of the version before still read them. Called
 * by the registry and `show-options.ts` before anything compares options with a schema. Pure.
 */
import type { ConnectorKind } from './kind.ts'
import type { Options } from './secrets.ts'

/** An option that has both names keeps the former one, which the schema refuses, as it does what is no object. */
export function withCurrentNames(
  { formerNames = {} }: Pick<ConnectorKind, 'formerNames'>,
  options: Options,
): Options {
  if (!isObject(options)) return options
  const named = Object.entries(formerNames).filter(([former]) => Object.hasOwn(options, former))
  return named.reduce((renamed, [former, current]) => rename(renamed, former, current), options)
}

/** `current` is a name, or a name in a group: `tls.ca`. */
function rename(options: Options, former: string, current: string): Options {
  const { [former]: value, ...others } = options
  const [name = '', inner] = current.split('.')
  if (inner === undefined) return Object.hasOwn(others, name) ? options : { ...others, [name]: value }
  const group = others[name] ?? {}
  if (typeof group !== 'object' || Object.hasOwn(group, inner)) return options
  return { ...others, [name]: { ...group, [inner]: value } }
}

/** Options are given as JSON: they may be anything. */
function isObject(options: unknown): boolean {
  return typeof options === 'object' && options !== null
}
