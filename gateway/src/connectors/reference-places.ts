/**
 * Where a reference may stand in the options of a route: in a secret, an address, or the name of an account. Everything else is
 * read by checks whose errors quote what is wrong, and whoever saves a route reads them. Pure. Called by the registry before
 * a reference is resolved.
 */
import { isReference } from '../platform/secret-reference.ts'
import type { ConnectorKind } from './kind.ts'
import { choicesOf, fieldOf, itemsOf, mayRefer, type OptionNode } from './option-nodes.ts'
import { maxLevels, type Options } from './secrets.ts'

/** Throws an error that names the place. */
export function requireReferencePlaces({ name, options: schema }: ConnectorKind, options: Options): void {
  const place = findMisplaced(options, [schema], '', 0)
  if (place !== undefined)
    throw new Error(
      `${name} options: ${place} must not be a reference to a variable or a file: only secrets, certificates, addresses and names of accounts may be`,
    )
}

/** The path of the first one. What the schema does not know is refused by name, and deeper levels are by `resolveSecrets`. */
function findMisplaced(
  value: unknown,
  nodes: readonly OptionNode[],
  path: string,
  level: number,
): string | undefined {
  const choices = nodes.flatMap(choicesOf)
  if (typeof value === 'string')
    return isReference(value) && choices.length > 0 && !choices.some(mayRefer) ? path : undefined
  if (typeof value !== 'object' || value === null || level >= maxLevels) return undefined
  const within = Array.isArray(value)
    ? value.map((item, index) => [`${path}[${index}]`, item, choices.flatMap(itemsOf)] as const)
    : Object.entries(value).map(
        ([name, inner]) =>
          [path === '' ? name : `${path}.${name}`, inner, choices.flatMap(fieldOf(name))] as const,
      )
  for (const [at, inner, described] of within) {
    const found = findMisplaced(inner, described, at, level + 1)
    if (found !== undefined) return found
  }
  return undefined
}
