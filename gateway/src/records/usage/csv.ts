/** Writes rows as comma-separated values (RFC 4180). */
export function toCsv(columns: readonly string[], rows: readonly object[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => quote((row as Readonly<Record<string, unknown>>)[column])).join(','),
  )
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

function quote(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  // Spreadsheets interpret such a prefix as a formula, and clients choose the paymentCode.
  return quoteCsv(typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
}

export function quoteCsv(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
