/** Tables of codes as carriers spell them. A code is of the carrier: it must never find what every object has. Pure. */

export type Table<Meaning> = Readonly<Record<string, Meaning>>

export function valueOf<Value>(table: Table<Value>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
