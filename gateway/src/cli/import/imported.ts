/**
 * The configuration of another gateway in Postern's terms. Each format has its own reader; script.ts formats
 * the result.
 */
import { isReference } from '../../platform/settings/secret-reference.ts'

export interface ImportedRoute {
  /** An id of a route: lower-case letters, digits and hyphens. */
  readonly id: string
  /** The location in the file, for a person. */
  readonly source: string
  /** Options of the protocol smpp, with secrets as references. */
  readonly options: Readonly<Record<string, unknown>>
  /** Maximum rate; 0 means no limit. */
  readonly partsPerSecond: number
  readonly priority: number
  /** Accounts of the route; an empty list allows all. */
  readonly accounts: readonly string[]
  readonly prefixes: readonly string[]
  /**
   * Set if a rule has no counterpart or the link was off: the route carries nothing until an operator enables
   * it.
   */
  readonly disabled: boolean
  /** Notes for the operator, one comment line of the script each. */
  readonly notes: readonly string[]
}

export interface ImportedAccount {
  readonly clientId: string
  readonly name: string
  /** Messages per second; the default applies if undefined. */
  readonly sendLimit?: number
  readonly notes: readonly string[]
}

export interface ImportedConfiguration {
  readonly accounts: readonly ImportedAccount[]
  readonly routes: readonly ImportedRoute[]
  /** Environment variables of workers, with the location of the password that each must contain. */
  readonly secrets: readonly { readonly name: string; readonly source: string }[]
  /** Settings that are not imported. */
  readonly notes: readonly string[]
}

/** Creates unique ids from arbitrary names. */
export class UniqueNames {
  readonly #taken = new Set<string>()

  next(name: string): string {
    const plain = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 28)
    const base = plain === '' ? 'route' : plain
    let id = base
    for (let count = 2; this.#taken.has(id); count += 1) id = `${base}-${count}`
    this.#taken.add(id)
    return id
  }
}

/** The prefix prevents a name in the file from selecting an existing variable. */
export function passwordVariable(id: string): string {
  return `POSTERN_ROUTE_SECRET_IMPORTED_${id.toUpperCase().replaceAll('-', '_')}_PASSWORD`
}

/**
 * Converts a prefix to the form of rules: `+` and a country code, or domestic with a leading 0. Returns
 * undefined for other texts.
 */
export function readPrefix(text: string): string | undefined {
  const digits = text.trim().replace(/^00/, '+')
  if (/^(?:0\d{0,11}|\+[1-9]\d{0,14})$/.test(digits)) return digits
  return /^[1-9]\d{0,14}$/.test(digits) ? `+${digits}` : undefined
}

/**
 * Removes values that would be read as references: the gateway would send its own variable or file to the
 * host that the file names.
 */
export function withoutReferences(
  values: ReadonlyMap<string, string>,
  notes: string[],
): ReadonlyMap<string, string> {
  const references = [...values].filter(([, value]) => isReference(value.trim())).map(([name]) => name)
  if (references.length === 0) return values
  notes.push(`Omitted, because they would be read as references to secrets: ${references.join(', ')}`)
  return new Map([...values].filter(([name]) => !references.includes(name)))
}

/** Parses a number of the file; returns undefined and adds a note if it is invalid. */
export function readNumber(text: string | undefined, name: string, notes: string[]): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  notes.push(`${name} is not a number and is omitted`)
  return undefined
}

/** Removes entries whose value is undefined. */
export function omitUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
