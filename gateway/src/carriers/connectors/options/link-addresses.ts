/**
 * Finds the addresses in the options of a route, by the marks in the schema of its kind. A stored secret must only be sent
 * to the address that it was entered for, and the audit log records that address.
 */
import { isIPv6 } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { ConnectorKind } from './kind.ts'
import { completeOptions, listChildren, type OptionSchema, type Options } from './option-schema.ts'

interface MarkSearch {
  readonly mark: 'address' | 'host'
  /** Which option to return if a marked option contains another. */
  readonly prefer: 'outer' | 'inner'
}

/** A host name has at most 253 characters. */
const maxTextLength = 300
const maxDescriptionLength = 5_000

/** Returns the path of the first address that differs, or undefined if none does. */
export function findChangedAddress(kind: ConnectorKind, stored: Options, given: Options): string | undefined {
  const before = findMarkedOptions(kind, stored, { mark: 'address', prefer: 'outer' })
  const after = findMarkedOptions(kind, given, { mark: 'address', prefer: 'outer' })
  return [...new Set([...after.keys(), ...before.keys()])].find(
    (path) => !isDeepStrictEqual(before.get(path), after.get(path)),
  )
}

/** Lists the hosts that a link connects to; the host for submissions comes first. `options` can be masked. */
export function listHosts(kind: ConnectorKind, options: Options): string[] {
  const hosts = [...findMarkedOptions(kind, options, { mark: 'host', prefer: 'inner' }).values()]
  return [...new Set(hosts.filter((value) => typeof value === 'string').map(parseHost))]
}

/**
 * Returns the addresses by path for the audit log: hosts first, beginning with the host for submissions. The size of the
 * result is limited. `options` can be masked.
 */
export function describeAddress(kind: ConnectorKind, options: Options): Readonly<Record<string, unknown>> {
  const hosts = findMarkedOptions(kind, options, { mark: 'host', prefer: 'inner' })
  const addresses = findMarkedOptions(kind, options, { mark: 'address', prefer: 'inner' })
  let remaining = maxDescriptionLength
  const entries = [...new Map([...hosts, ...addresses])].flatMap(([path, value]) => {
    const text: unknown = typeof value === 'string' ? value.slice(0, maxTextLength) : value
    remaining -= path.length + JSON.stringify(text).length
    return remaining < 0 ? [] : [[path, text] as const]
  })
  return Object.fromEntries(entries)
}

/** Returns the host of a URL, or a host name, as the link resolves it: `0306.0.2.1` is 198.0.2.1. */
function parseHost(text: string): string {
  const [, given = ''] = /^(?:https?:\/\/)?([^/?#]*)/is.exec(text) ?? []
  const scheme = /^https:/i.test(text) ? 'https' : 'http'
  const url = `${scheme}://${isIPv6(given) ? `[${given}]` : given}/`
  const host = URL.canParse(url) && new URL(url).host !== '' ? new URL(url).host : given
  if (host.length <= maxTextLength) return host
  return `${host.slice(0, maxTextLength / 2)}…${host.slice(-maxTextLength / 2)}`
}

/** Returns values by path, in the order of the schema, with defaults. */
function findMarkedOptions(
  kind: ConnectorKind,
  options: Options,
  { mark, prefer }: MarkSearch,
): ReadonlyMap<string, unknown> {
  function collect(path: string, value: unknown, schemas: readonly OptionSchema[]): [string, unknown][] {
    if (value === undefined) return []
    const isMarked = schemas.some((schema) => schema[mark] === true)
    if (isMarked && prefer === 'outer') return [[path, value]]
    const within = listChildren(value, schemas).flatMap((child) =>
      collect(path === '' ? child.key : `${path}.${child.key}`, child.value, child.schemas),
    )
    return isMarked && within.length === 0 ? [[path, value]] : within
  }
  return new Map(collect('', completeOptions(kind, options), [kind.options]))
}
