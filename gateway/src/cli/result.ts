/** The result of a command and its output: lines for a person, or one JSON document for a program. */

const controls = /[\p{Cc}\p{Bidi_Control}]/gu

export interface Result {
  /** The document that `--json` prints. Its field names are part of the command line and stay stable. */
  readonly json: object
  /** The same content for a person, one element per line. */
  readonly lines: readonly string[]
  /** If set, the result is printed and the exit code is 1. */
  readonly failed?: boolean
}

export function formatResult(result: Result, asJson: boolean): string {
  if (asJson) return `${escapeControls(JSON.stringify(result.json))}\n`
  return result.lines.map((line) => `${printable(line)}\n`).join('')
}

/**
 * Replaces every control character (C0, DEL, C1) and every bidirectional control by U+FFFD, including line
 * breaks, so that a value never starts a line. Values from outside (names, references, carriers' codes) may contain control
 * characters that move the cursor or rewrite the terminal, or bidirectional controls that reorder the line.
 */
export function printable(text: string): string {
  return text.replaceAll(controls, '\uFFFD')
}

/** JSON.stringify escapes only C0, but DEL, C1 and bidirectional controls also act on a terminal. */
function escapeControls(json: string): string {
  return json.replaceAll(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Formats rows as lines. Every column is as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
