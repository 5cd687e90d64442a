/** The first row is the head. */
export function toTable([head, ...rows]: readonly (readonly string[])[]): string {
  return [head!, head!.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Escapes text from outside Markdown for a cell. */
export function toCell(text: string): string {
  return text.replaceAll('|', '\\|')
}
