/** Runs a scenario once for several tests. */
export function once<T>(play: () => Promise<T>): () => Promise<T> {
  let playing: Promise<T> | undefined
  return () => (playing ??= play())
}
