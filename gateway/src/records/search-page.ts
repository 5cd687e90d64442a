/**
 * A search reads pieces that each take a limited time. A page has as many pieces as fill it, or as fit into
 * its time.
 */

export interface Piece<Item, Position> {
  readonly items: readonly Item[]
  /** Start of the next piece; `null` if nothing is left. */
  readonly next: Position | null
}

/**
 * Collects a page. `searchPiece` returns at most `limit` items from `position` on. No further piece begins if
 * it would exceed the time budget, assuming that it takes as long as the last one.
 */
export async function searchPage<Item, Position>(
  searchPiece: (position: Position, limit: number) => Promise<Piece<Item, Position>>,
  start: Position,
  { limit, budgetMs }: { readonly limit: number; readonly budgetMs: number },
): Promise<Piece<Item, Position>> {
  const began = performance.now()
  const items: Item[] = []
  let next: Position | null = start
  let pieceMs = 0
  while (next !== null && items.length < limit && performance.now() - began + pieceMs <= budgetMs) {
    const pieceBegan = performance.now()
    const piece: Piece<Item, Position> = await searchPiece(next, limit - items.length)
    items.push(...piece.items)
    next = piece.next
    pieceMs = performance.now() - pieceBegan
  }
  return { items, next }
}
