/**
 * The options of a route as they may be shown: references to secrets stay, a secret that was given itself becomes `***`,
 * and the defaults of everything that is left out are listed apart. Pure. Called by `postern route show`.
 */
import { isReference } from '../platform/secret-reference.ts'
import { Value } from 'typebox/value'
import { leaves } from './option-leaves.ts'
import { choicesOf, fieldOf, itemsOf, type OptionNode } from './option-nodes.ts'
import { findKind } from './registry.ts'
import type { Options } from './secrets.ts'

export interface ShownOptions {
  /** As they were given, under the names of now. */
  readonly options: Options
  /** By path, such as `tls.verify`: what the route leaves out. */
  readonly defaults: Options
}

const mask = '***'

export function showOptions(protocol: string, options: Options): ShownOptions {
  const kind = findKind(protocol)
  // Of a protocol that this version does not know, nothing says what is secret.
  if (kind === undefined) return { options: masked(options, []) as Options, defaults: {} }
  const { options: schema } = kind
  const complete = Value.Default(schema, structuredClone(options)) as Options
  const given = new Map(leaves(options, ''))
  const defaults = leaves(complete, '').filter(([path]) => !given.has(path))
  return { options: masked(options, [schema]) as Options, defaults: Object.fromEntries(defaults) }
}

/** `nodes` are all schemas that may describe the value; none: the schema does not know it, so that it may be secret. */
function masked(value: unknown, nodes: readonly OptionNode[]): unknown {
  if (typeof value === 'string') {
    if (isReference(value)) return value
    return nodes.length === 0 || nodes.some(({ secret }) => secret === true) ? mask : value
  }
  if (typeof value !== 'object' || value === null) return value
  const choices = nodes.flatMap(choicesOf)
  if (Array.isArray(value)) {
    const items = choices.flatMap(itemsOf)
    return value.map((item) => masked(item, items))
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, masked(inner, choices.flatMap(fieldOf(name)))]),
  )
}
