export function firstFew(items: readonly string[]): string {
  const firstItems = items.slice(0, 5).join(', ')
  return items.length > 5 ? `${firstItems} … (${items.length})` : firstItems
}

export function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never'
}
