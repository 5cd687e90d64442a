/** What a configuration of another gateway says, in the terms of this one. The readers of each format make it; script.ts prints it. */
import { isReference } from '../../platform/secret-reference.ts'

export interface ImportedRoute {
  /** An id of a route: lower-case letters, digits and hyphens. */
  readonly id: string
  /** Where it is in the file, for a person. */
  readonly source: string
  /** Options of the protocol smpp. Secrets are references. */
  readonly options: Readonly<Record<string, unknown>>
  /** 0: no limit. */
  readonly partsPerSecond: number
  readonly priority: number
  /** Empty: all. */
  readonly accounts: readonly string[]
  readonly prefixes: readonly string[]
  /** A rule of it has no counterpart, or it was off: it is saved and carries nothing until a person enables it. */
  readonly disabled: boolean
  /** What a person has to know about it, one sentence each. */
  readonly notes: readonly string[]
}

export interface ImportedAccount {
  readonly clientId: string
  readonly name: string
  /** Messages a second; undefined: the default. */
  readonly sendLimit?: number
  readonly notes: readonly string[]
}

export interface Imported {
  readonly accounts: readonly ImportedAccount[]
  readonly routes: readonly ImportedRoute[]
  /** Variables of the environment of workers, with the place of the password each of them must hold. */
  readonly secrets: readonly { readonly name: string; readonly source: string }[]
  /** What is not taken over at all. */
  readonly notes: readonly string[]
}

/** Makes ids that are different from each other out of names that may have anything in them. */
export class Names {
  readonly #taken = new Set<string>()

  next(name: string): string {
    const plain = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 28)
    const first = plain === '' ? 'route' : plain
    let id = first
    for (let count = 2; this.#taken.has(id); count += 1) id = `${first}-${count}`
    this.#taken.add(id)
    return id
  }
}

/** The prefix keeps a name in the file from choosing a variable that exists already. */
export function passwordVariable(id: string): string {
  return `POSTERN_ROUTE_SECRET_IMPORTED_${id.toUpperCase().replaceAll('-', '_')}_PASSWORD`
}

/** In the form of rules: `+` and a country code, or domestic with a 0; undefined for what is neither. */
export function readPrefix(text: string): string | undefined {
  const digits = text.trim().replace(/^00/, '+')
  if (/^(?:0\d{0,11}|\+[1-9]\d{0,14})$/.test(digits)) return digits
  return /^[1-9]\d{0,14}$/.test(digits) ? `+${digits}` : undefined
}

/**
 * The values without those that would be read as references: the gateway would send a variable or a file of its own to whatever host
 * the file names.
 */
export function withoutReferences(
  values: ReadonlyMap<string, string>,
  notes: string[],
): ReadonlyMap<string, string> {
  const references = [...values].filter(([, value]) => isReference(value.trim())).map(([name]) => name)
  if (references.length === 0) return values
  notes.push(`Left out, because they would be read as references to secrets: ${references.join(', ')}`)
  return new Map([...values].filter(([name]) => !references.includes(name)))
}

/** A number of the file, or undefined with a note. */
export function readNumber(text: string | undefined, name: string, notes: string[]): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  notes.push(`${name} is not a number: it is left out`)
  return undefined
}

/** Without the names whose value is undefined. */
export function given(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
