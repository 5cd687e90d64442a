/** Writes rows as comma-separated values (RFC 4180). */
export function toCsv(columns: readonly string[], rows: readonly object[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => quoteCsv((row as Readonly<Record<string, unknown>>)[column])).join(','),
  )
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

/** Writes a number or a text; anything else is empty. */
export function quoteCsv(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  // Spreadsheets interpret such a prefix as a formula, and clients choose references and the paymentCode.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
