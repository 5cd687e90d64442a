/**
 * Ties tests to rows. A row without a test, a test without a row and a row proven twice are errors before anything
 * runs, so a row can never be left out unnoticed.
 */
import type { Row } from './row.ts'

export type Proof = () => Promise<void>

const proofs = new Map<string, Proof>()

/** Declares the test of the row with this id. */
export function prove(id: string, proof: Proof): void {
  if (proofs.has(id)) throw new Error(`row ${id} has two tests`)
  proofs.set(id, proof)
}

/** The same test for rows that differ only in what is handed to it. */
export function proveEach<T>(cases: Readonly<Record<string, T>>, proof: (value: T) => Promise<void>): void {
  for (const [id, value] of Object.entries(cases)) prove(id, () => proof(value))
}

export function pairUp(rows: readonly Row[]): { readonly row: Row; readonly proof: Proof }[] {
  const ids = new Set(rows.map(({ id }) => id))
  const twice = rows.filter(({ id }, index) => rows.findIndex((other) => other.id === id) !== index)
  const untested = rows.filter(({ id }) => !proofs.has(id))
  const rowless = [...proofs.keys()].filter((id) => !ids.has(id))
  const complaints = [
    ...twice.map(({ id }) => `row ${id} is there twice`),
    ...untested.map(({ id }) => `row ${id} has no test`),
    ...rowless.map((id) => `the test ${id} has no row`),
  ]
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return rows.map((row) => ({ row, proof: proofs.get(row.id)! }))
}
