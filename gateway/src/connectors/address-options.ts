/**
 * The options that say where a link goes and whom it trusts there, by the marks in the schema of its kind. A stored secret
 * must not be sent anywhere else than where it was sent when it was given, and the audit log names the place. Pure. Called when
 * a route is saved or deleted.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ConnectorKind } from './kind.ts'
import { linkAddresses } from './link-hosts.ts'
import { markedOptions } from './marked-options.ts'
import type { Options } from './secrets.ts'

/** The path of the first one that differs; undefined when the link goes to the same place. */
export function findOtherAddress(kind: ConnectorKind, stored: Options, given: Options): string | undefined {
  const before = markedOptions(kind, stored, { mark: 'address', take: 'outer' })
  const after = markedOptions(kind, given, { mark: 'address', take: 'outer' })
  return [...new Set([...after.keys(), ...before.keys()])].find(
    (path) => !isDeepStrictEqual(before.get(path), after.get(path)),
  )
}

/** A path after the host may be longer; `link-hosts.ts` names the hosts themselves. */
const maxText = 300
const maxTexts = 5_000

/**
 * What names the place, by path, for the audit log: bounded, the address of submissions first. Of values that may be in an
 * address, those that are, in their order there. `options` may be masked.
 */
export function describeAddress(kind: ConnectorKind, options: Options): Readonly<Record<string, unknown>> {
  const marked = markedOptions(kind, options, { mark: 'address', take: 'inner' })
  const paths = new Set([...Object.keys(linkAddresses(kind, options)), ...marked.keys()])
  const places = [...paths]
    .filter((path) => marked.has(path))
    .map((path): [string, unknown] => [path, marked.get(path)])
  const texts = places.map(([, value]) => (typeof value === 'string' ? value : '')).join(' ')
  const inAddress = places
    .flatMap(([path, value]) => entriesOf(value).map(([name, inner]) => ({ path, name, inner })))
    .map((entry) => ({ ...entry, at: placeholderAt(texts, entry.name) }))
    .filter(({ at }) => at >= 0)
    .sort((left, right) => left.at - right.at)
    .map(({ path, name, inner }): [string, unknown] => [`${path}.${name}`, inner])
  let room = maxTexts
  const shown = [...places.filter(([, value]) => !isGroup(value)), ...inAddress].flatMap(([path, value]) => {
    const text: unknown = typeof value === 'string' ? value.slice(0, maxText) : value
    room -= path.length + JSON.stringify(text).length
    return room < 0 ? [] : [[path, text] as const]
  })
  return Object.fromEntries(shown)
}

/** Where `{name}` or `{name|filter}` is; negative when it is not. */
function placeholderAt(texts: string, name: string): number {
  const found = [`{${name}}`, `{${name}|`].map((text) => texts.indexOf(text)).filter((at) => at >= 0)
  return found.length === 0 ? -1 : Math.min(...found)
}

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null
const entriesOf = (value: unknown): [string, unknown][] => (isGroup(value) ? Object.entries(value) : [])
