/** Where the processes of a history share what is used of caps: a table of PostgreSQL, in memory. */
import type { CapKey, CapStore } from '../../src/trust/abuse/cap-store.ts'

export function createMemoryCapStore(): CapStore {
  const used = new Map<string, number>()
  const nameOf = (key: CapKey): string => `${key.accountId}/${key.class}/${key.period}/${key.begins}`
  return {
    reserve: async (key, wanted, max) => {
      await Promise.resolve()
      const before = used.get(nameOf(key)) ?? 0
      const granted = Math.min(wanted, Math.max(0, max - before))
      used.set(nameOf(key), before + granted)
      return { granted, used: before + granted }
    },
    giveBack: (unused) => {
      for (const { key, count } of unused) used.set(nameOf(key), used.get(nameOf(key))! - count)
      return Promise.resolve()
    },
    readUsed: () => Promise.resolve([]),
  }
}
