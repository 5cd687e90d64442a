/** Reads a body with any content and collects violations. Never throws. */
import { normalizeText, countOctets, countUnits } from './text.ts'

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function toFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** Removes values that some clients send for "not given". */
export function omitEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))
}

/** Violations as sentences without message content. */
export class Violations {
  readonly found: string[] = []

  expect(holds: boolean, violation: string): void {
    if (!holds) this.found.push(violation)
  }

  /** Requires a text of up to `max` characters. */
  needs(value: unknown, max: number, path: string): void {
    this.expect(typeof value === 'string' && value !== '', `${path} is missing`)
    this.within(value, max, path)
  }

  within(value: unknown, max: number, path: string): void {
    if (value === undefined) return
    if (typeof value !== 'string') return this.expect(false, `${path} is not a string`)
    this.expect(countUnits(value) <= max, `${path} has ${countUnits(value)} characters, at most ${max}`)
  }

  octets(value: unknown, max: number, path: string): void {
    if (value === undefined) return
    if (typeof value !== 'string') return this.expect(false, `${path} is not a string`)
    this.expect(countOctets(value) <= max, `${path} has ${countOctets(value)} octets, at most ${max}`)
  }

  count(value: unknown, min: number, max: number, path: string): void {
    if (value !== undefined) this.expect(Array.isArray(value), `${path} is not a list`)
    const { length } = toArray(value)
    this.expect(
      length >= min && length <= max,
      `${path} has ${length} elements, allowed are ${min} to ${max}`,
    )
  }

  oneOf(value: unknown, allowed: readonly string[], path: string): void {
    this.expect(typeof value === 'string' && allowed.includes(value), `${path} is none of ${allowed.join()}`)
  }

  matches(value: unknown, pattern: RegExp, path: string): void {
    this.expect(typeof value === 'string' && pattern.test(normalizeText(value)), `${path} is malformed`)
  }
}
