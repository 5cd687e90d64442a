/**
 * The options that say where a link goes and whom it trusts there, by the marks in the schema of its kind. A stored secret
 * must not be sent anywhere else than where it was sent when it was given. Pure. Called when a route is saved with masks.
 */
import { isDeepStrictEqual } from 'node:util'
import { Value } from 'typebox/value'
import { withCurrentNames } from './former-names.ts'
import type { ConnectorKind } from './kind.ts'
import { choicesOf, fieldOf, itemsOf, type OptionNode } from './option-nodes.ts'
import type { Options } from './secrets.ts'

/** The path of the first one that differs; undefined when the link goes to the same place. */
export function findOtherAddress(kind: ConnectorKind, stored: Options, given: Options): string | undefined {
  const before = addressesOf(kind, stored)
  const after = addressesOf(kind, given)
  return [...new Set([...after.keys(), ...before.keys()])].find(
    (path) => !isDeepStrictEqual(before.get(path), after.get(path)),
  )
}

/** With defaults: one that is left out is the same as one that is given. */
function addressesOf(kind: ConnectorKind, options: Options): ReadonlyMap<string, unknown> {
  const complete = Value.Default(kind.options, structuredClone(withCurrentNames(kind, options)))
  return new Map(collect(complete, [kind.options], ''))
}

function collect(value: unknown, nodes: readonly OptionNode[], path: string): [string, unknown][] {
  if (value === undefined) return []
  if (nodes.some(({ address }) => address === true)) return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  const choices = nodes.flatMap(choicesOf)
  if (choices.some(({ address }) => address === true)) return [[path, value]]
  const at = (name: string | number): string => (path === '' ? `${name}` : `${path}.${name}`)
  if (Array.isArray(value))
    return value.flatMap((item, index) => collect(item, choices.flatMap(itemsOf), at(index)))
  return Object.entries(value).flatMap(([name, inner]) =>
    collect(inner, choices.flatMap(fieldOf(name)), at(name)),
  )
}
