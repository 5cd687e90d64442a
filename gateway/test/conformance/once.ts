/** A scenario that several tests look at, played once. */
export function once<T>(play: () => Promise<T>): () => Promise<T> {
  let playing: Promise<T> | undefined
  return () => (playing ??= play())
}
