import type { CapKey, CapStore } from '../../../src/trust/abuse/cap-store.ts'

/** Creates an in-memory cap store that the processes of a history share. */
export function createMemoryCapStore(): CapStore {
  const used = new Map<string, number>()
  const toName = (key: CapKey): string => `${key.accountId}/${key.class}/${key.period}/${key.begins}`
  return {
    reserve: async (key, wanted, max) => {
      await Promise.resolve()
      const before = used.get(toName(key)) ?? 0
      const granted = Math.min(wanted, Math.max(0, max - before))
      used.set(toName(key), before + granted)
      return { granted, used: before + granted }
    },
    giveBack: (unused) => {
      for (const { key, count } of unused) used.set(toName(key), used.get(toName(key))! - count)
      return Promise.resolve()
    },
    readUsed: () => Promise.resolve([]),
  }
}
