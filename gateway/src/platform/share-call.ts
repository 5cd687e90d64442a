/** One call for all who ask for the same at the same time: an upload, a look-up. Nothing is kept after it has ended. Pure. */

/** `begin` must return a promise, whatever happens. */
export function shareCall<Value>(
  pending: Map<string, Promise<Value>>,
  key: string,
  begin: () => Promise<Value>,
): Promise<Value> {
  const known = pending.get(key)
  if (known !== undefined) return known
  const call = begin().finally(() => pending.delete(key))
  pending.set(key, call)
  return call
}
