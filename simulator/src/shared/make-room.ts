/** Bounds what a carrier remembers: called before an entry is added. Pure. */

interface Entries<Key> {
  readonly size: number
  keys(): Iterable<Key>
  delete(key: Key): boolean
}

/** Deletes the oldest entry of a set or map that holds `limit` entries. */
export function makeRoom<Key>(entries: Entries<Key>, limit: number): void {
  if (entries.size < limit) return
  for (const oldest of entries.keys()) {
    entries.delete(oldest)
    return
  }
}
