/**
 * The options that say where a link goes and whom it trusts there, by the marks in the schema of its kind. A stored secret
 * must not be sent anywhere else than where it was sent when it was given, and the audit log names the place. Pure. Called when
 * a route is saved or deleted.
 */
import { isDeepStrictEqual } from 'node:util'
import { Value } from 'typebox/value'
import { withCurrentNames } from './former-names.ts'
import type { ConnectorKind } from './kind.ts'
import { choicesOf, fieldOf, itemsOf, type OptionNode } from './option-nodes.ts'
import type { Options } from './secrets.ts'

/** The path of the first one that differs; undefined when the link goes to the same place. */
export function findOtherAddress(kind: ConnectorKind, stored: Options, given: Options): string | undefined {
  const before = addressesOf(kind, stored, 'outer')
  const after = addressesOf(kind, given, 'outer')
  return [...new Set([...after.keys(), ...before.keys()])].find(
    (path) => !isDeepStrictEqual(before.get(path), after.get(path)),
  )
}

/** The longest name of a host has 253 characters. */
const maxText = 300
const maxTexts = 5_000

/**
 * What names the place, by path, for the audit log: bounded, with the host of each address. Of values that may be in an
 * address, those that are, in their order there. `options` may be masked.
 */
export function describeAddress(kind: ConnectorKind, options: Options): Readonly<Record<string, unknown>> {
  const places = [...addressesOf(kind, options, 'inner')]
  const texts = places.map(([, value]) => (typeof value === 'string' ? value : '')).join(' ')
  const inAddress = places
    .flatMap(([path, value]) => entriesOf(value).map(([name, inner]) => ({ path, name, inner })))
    .map((entry) => ({ ...entry, at: texts.indexOf(`{${entry.name}`) }))
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

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null
const entriesOf = (value: unknown): [string, unknown][] => (isGroup(value) ? Object.entries(value) : [])

/**
 * With defaults: one that is left out is the same as one that is given. Of a marked option within another one, `outer` has the
 * one around it, and `inner` the one within.
 */
function addressesOf(
  kind: ConnectorKind,
  options: Options,
  marks: 'outer' | 'inner',
): ReadonlyMap<string, unknown> {
  const complete = Value.Default(kind.options, structuredClone(withCurrentNames(kind, options)))
  return new Map(collect(complete, [kind.options], '', marks))
}

function collect(
  value: unknown,
  nodes: readonly OptionNode[],
  path: string,
  marks: 'outer' | 'inner',
): [string, unknown][] {
  if (value === undefined) return []
  const choices = nodes.flatMap(choicesOf)
  const isMarked = [...nodes, ...choices].some(({ address }) => address === true)
  const found = isMarked && marks === 'outer' ? [] : collectWithin(value, choices, path, marks)
  return isMarked && found.length === 0 ? [[path, value]] : found
}

function collectWithin(
  value: unknown,
  choices: readonly OptionNode[],
  path: string,
  marks: 'outer' | 'inner',
): [string, unknown][] {
  if (!isGroup(value)) return []
  const at = (name: string | number): string => (path === '' ? `${name}` : `${path}.${name}`)
  if (Array.isArray(value))
    return value.flatMap((item, index) => collect(item, choices.flatMap(itemsOf), at(index), marks))
  return Object.entries(value).flatMap(([name, inner]) =>
    collect(inner, choices.flatMap(fieldOf(name)), at(name), marks),
  )
}
