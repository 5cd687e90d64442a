/**
 * Row of a contract table and what its test proves. Data only, so that it can be compared with the contract.
 */
export interface ContractRow {
  /** For example `token.schema`. */
  readonly id: string
  /** Section of the contract, for example `Resources · Token`. */
  readonly section: string
  /** Name in the contract. Several entries can share a name and prove different parts of the row. */
  readonly row: string
  /** Proven statement, without its subject. */
  readonly proof: string
}

/** Row that cannot be tested here, and the reason. */
export interface UnprovenRow {
  readonly section: string
  readonly row: string
  readonly why: string
}

export type RowTuple = readonly [id: string, row: string, proof: string]

/** Builds the rows of one table. Their IDs start with `prefix`. */
export function createRows(section: string, prefix: string, lines: readonly RowTuple[]): ContractRow[] {
  return lines.map(([id, row, proof]) => ({ id: `${prefix}.${id}`, section, row, proof }))
}

export function toRowName({ section, row, proof }: ContractRow): string {
  return `${section} · ${row}: ${proof}`
}

/** Returns the line of the page that lists what is not proven. */
export function toUnprovenLine({ section, row, why }: UnprovenRow): string {
  return `- ${section}, ${row}: ${why}`
}

/** A row is proven if all its tests passed. */
export function countRows(
  rows: readonly ContractRow[],
  proven: ReadonlySet<ContractRow>,
): { readonly all: number; readonly good: number } {
  const groups = Map.groupBy(rows, ({ section, row }) => `${section} · ${row}`)
  const good = [...groups.values()].filter((entries) => entries.every((row) => proven.has(row)))
  return { all: groups.size, good: good.length }
}
