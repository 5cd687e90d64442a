/**
 * A row of the contract in the project's own words, and what is proven of it. Data only: a row says nothing about how it
 * is proven, so that it can be compared with the contract by reading.
 */
export interface Row {
  /** Names the row for its test: `token.schema`. */
  readonly id: string
  /** Where in the contract it stands: `Resources · Token`. */
  readonly section: string
  /** The row as the contract names it; several entries may share one, each proving another part of it. */
  readonly row: string
  /** What its test shows, as a sentence without its subject. */
  readonly proof: string
}

/** What no test here can show, and why. */
export interface Unproven {
  readonly section: string
  readonly row: string
  readonly why: string
}

export type Line = readonly [id: string, row: string, proof: string]

/** Rows of one table; their ids begin with `prefix`. */
export function table(section: string, prefix: string, lines: readonly Line[]): Row[] {
  return lines.map(([id, row, proof]) => ({ id: `${prefix}.${id}`, section, row, proof }))
}

export function nameOf({ section, row, proof }: Row): string {
  return `${section} · ${row}: ${proof}`
}
