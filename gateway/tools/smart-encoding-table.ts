/** Creates the table of docs/reference/smart-encoding.md. */
import { plainEquivalents } from '../src/channels/text/smart-encoding.ts'
import { toTable } from './markdown.ts'

export function smartEncodingTable(): string {
  return toTable([
    ['Characters', 'Codes', 'Sent as'],
    ...plainEquivalents.map(({ name, characters, equivalent }) => [
      name,
      Array.from(characters, toCode).join(', '),
      equivalentNames[equivalent] ?? `\`${equivalent.replaceAll('|', '\\|')}\``,
    ]),
  ])
}

const equivalentNames: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\n': 'a line break',
  '': 'nothing',
}

function toCode(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
