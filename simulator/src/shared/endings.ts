/**
 * Selects a behaviour by the last four digits of a recipient, ignoring the formatting of the number. Every
 * ending begins with 00; a number that matches no row gets the first one.
 */

export interface EndingRow {
  readonly ending: string
  /** Markdown of one line for the help and the carrier's page. */
  readonly summary: string
}

export function getEnding(address: string): string {
  return address.replace(/\D/g, '').slice(-4)
}

export function chooseByEnding<Row extends EndingRow>(
  rows: readonly [Row, ...Row[]],
): (address: string) => Row {
  const byEnding = new Map(rows.map((row) => [row.ending, row]))
  return (address) => byEnding.get(getEnding(address)) ?? rows[0]
}
