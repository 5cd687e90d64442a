/** Shares one call between concurrent callers with the same key. The result is not cached. */

/** `begin` must not throw; it may return a promise that rejects. */
export function singleFlight<Value>(
  pending: Map<string, Promise<Value>>,
  key: string,
  begin: () => Promise<Value>,
): Promise<Value> {
  const running = pending.get(key)
  if (running !== undefined) return running
  const call = begin().finally(() => pending.delete(key))
  pending.set(key, call)
  return call
}
