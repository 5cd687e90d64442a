interface Entries<Key> {
  readonly size: number
  keys(): Iterable<Key>
  delete(key: Key): boolean
}

/** Deletes the oldest entry of a full set or map. Call before adding an entry. */
export function evictOldest<Key>(entries: Entries<Key>, limit: number): void {
  if (entries.size < limit) return
  for (const oldest of entries.keys()) {
    entries.delete(oldest)
    return
  }
}
