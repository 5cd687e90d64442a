/** Tables of codes as carriers spell them. A code is of the carrier: it must never find what every object has. Pure. */

export type Table<Meaning> = Readonly<Record<string, Meaning>>

export function valueOf<Value>(table: Table<Value>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** All 44xx of KT, in answers and in reports. */
export const spamCodes: Table<'spam'> = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [4400 + index, 'spam' as const]),
)
