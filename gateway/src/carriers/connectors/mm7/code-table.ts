/** Tables of carrier codes. Lookups use own properties only, because codes are untrusted. */

export type CodeTable<Meaning> = Readonly<Record<string, Meaning>>

export function findCode<Value>(table: CodeTable<Value>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** KT's spam codes, all of 44xx, in responses and in reports. */
export const spamCodes: CodeTable<'spam'> = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [4400 + index, 'spam' as const]),
)
