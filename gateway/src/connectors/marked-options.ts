/** The values of options that have a mark in the schema of their kind, by path. Pure. */
import { Value } from 'typebox/value'
import type { ConnectorKind } from './kind.ts'
import { choicesOf, fieldOf, itemsOf, type OptionNode } from './option-nodes.ts'
import type { Options } from './secrets.ts'

interface Search {
  readonly mark: 'address' | 'host'
  /** Of a marked option within another one: the one around it, or the one within. */
  readonly take: 'outer' | 'inner'
}

/** Fills in the defaults: an option that is omitted equals one that is given with its default. */
export function completeOptions(kind: ConnectorKind, options: Options): Options {
  return Value.Default(kind.options, structuredClone(options)) as Options
}

/** In the order of the schema. */
export function markedOptions(
  kind: ConnectorKind,
  options: Options,
  search: Search,
): ReadonlyMap<string, unknown> {
  return new Map(collect(completeOptions(kind, options), [kind.options], '', search))
}

function collect(
  value: unknown,
  nodes: readonly OptionNode[],
  path: string,
  search: Search,
): [string, unknown][] {
  if (value === undefined) return []
  const choices = nodes.flatMap(choicesOf)
  const isMarked = [...nodes, ...choices].some((node) => node[search.mark] === true)
  const found = isMarked && search.take === 'outer' ? [] : collectWithin(value, choices, path, search)
  return isMarked && found.length === 0 ? [[path, value]] : found
}

function collectWithin(
  value: unknown,
  choices: readonly OptionNode[],
  path: string,
  search: Search,
): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  const at = (name: string | number): string => (path === '' ? `${name}` : `${path}.${name}`)
  if (Array.isArray(value))
    return value.flatMap((item, index) => collect(item, choices.flatMap(itemsOf), at(index), search))
  const known = choices.flatMap(({ properties = {} }) => Object.keys(properties))
  // Whoever saves a route chooses the order of its options.
  return [...new Set([...known, ...Object.keys(value)])]
    .filter((name) => Object.hasOwn(value, name))
    .flatMap((name) => collect((value as Options)[name], choices.flatMap(fieldOf(name)), at(name), search))
}
