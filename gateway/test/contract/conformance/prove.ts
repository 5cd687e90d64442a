import type { ContractRow } from './row.ts'

export type RowTest = () => Promise<void>

const tests = new Map<string, RowTest>()

/** Declares the test of a row. */
export function prove(id: string, rowTest: RowTest): void {
  if (tests.has(id)) throw new Error(`row ${id} has two tests`)
  tests.set(id, rowTest)
}

/** Declares the same test for several rows with different values. */
export function proveEach<T>(cases: Readonly<Record<string, T>>, rowTest: (value: T) => Promise<void>): void {
  for (const [id, value] of Object.entries(cases)) prove(id, () => rowTest(value))
}

/** Pairs rows with their tests. Throws for rows without a test, tests without a row and duplicates. */
export function pairRowsWithTests(
  rows: readonly ContractRow[],
): { readonly row: ContractRow; readonly rowTest: RowTest }[] {
  const ids = new Set(rows.map(({ id }) => id))
  const twice = rows.filter(({ id }, index) => rows.findIndex((other) => other.id === id) !== index)
  const untested = rows.filter(({ id }) => !tests.has(id))
  const rowless = [...tests.keys()].filter((id) => !ids.has(id))
  const problems = [
    ...twice.map(({ id }) => `duplicate row ${id}`),
    ...untested.map(({ id }) => `row ${id} has no test`),
    ...rowless.map((id) => `test ${id} has no row`),
  ]
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return rows.map((row) => ({ row, rowTest: tests.get(row.id)! }))
}
