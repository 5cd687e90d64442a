/** Counts as `postern usage` prints them, over either way. Pure. */
import { table, type Result } from '../result.ts'

type Row = Readonly<Record<string, string | number | undefined>>

export function usageResult(clientId: string, usage: readonly object[]): Result {
  const [first] = usage
  const titles = Object.keys(first ?? {})
  const rows = usage.map((row) => titles.map((title) => String((row as Row)[title] ?? '')))
  return {
    json: { clientId, usage },
    lines:
      rows.length === 0 ? [`${clientId}: no message was closed on these days`] : table([titles, ...rows]),
  }
}
