/** Returns a function that runs a scenario only once and shares its result. */
export function runOnce<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= run())
}
