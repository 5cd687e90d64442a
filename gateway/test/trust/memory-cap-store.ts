/** Where the processes of a history share what is used of caps: a table of PostgreSQL, in memory. */
import type { CapStore } from '../../src/trust/abuse/cap-store.ts'

export function createMemoryCapStore(): CapStore {
  const used = new Map<string, number>()
  const keyOf = (row: { accountId: number; class: string; begins: string }): string =>
    `${row.accountId}/${row.class}/${row.begins}`
  return {
    reserve: async (wanted) => {
      await Promise.resolve()
      return wanted.map((row) => {
        const before = used.get(keyOf(row)) ?? 0
        const granted = Math.min(row.wanted, Math.max(0, row.max - before))
        used.set(keyOf(row), before + granted)
        return { granted, used: before + granted }
      })
    },
    giveBack: (unused) => {
      for (const row of unused) used.set(keyOf(row), used.get(keyOf(row))! - row.count)
      return Promise.resolve()
    },
    readUsed: () => Promise.resolve([]),
  }
}
