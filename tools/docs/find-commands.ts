/**
 * Finds `postern` command lines in a file: in fenced blocks and inline code of Markdown, in string literals
 * of sources, and in comments, units and notes of other files.
 */

export interface FoundCommand {
  /** Line number from 1. */
  readonly line: number
  /** Words after `postern`. */
  readonly words: readonly string[]
  /** Inline code may name just a command or an option; a block is meant to be run. */
  readonly inline: boolean
}

interface Code {
  readonly text: string
  readonly line: number
  readonly inline: boolean
}

/** Calls from an installation, a checkout, an image or Compose. */
const calls =
  '(?:(?:/usr/bin/)?postern|npx postern|node \\S*gateway/src/main\\.ts|docker compose(?: -f \\S+)* run(?: --rm| -e \\S+)* postern)'
/** Elsewhere `postern` is the name of a database, a user or a release. */
const beginning = new RegExp(
  `(?:^|[;&|(\`]|-- |ExecStart=|\\b(?:do|then|sudo) )[ \\t#]*(?:[A-Z_]+=\\S+ )*${calls}[ \\t]+(?=[a-z-])`,
  'gm',
)
const fence = /^( *)(```+)[^\n`]*\n([^]*?)^\1\2 *$/gm

export function findCommands(path: string, text: string): FoundCommand[] {
  return extractCode(path, text).flatMap(({ text: code, line, inline }) =>
    [...code.matchAll(beginning)].flatMap(({ index, 0: before }) =>
      alternatives(readWords(code.slice(index + before.length))).map((words) => ({
        line: line + newlines(code.slice(0, index)),
        words,
        // Comments and outputs can contain inline code.
        inline: inline || before.startsWith('`'),
      })),
    ),
  )
}

function extractCode(path: string, text: string): Code[] {
  if (path.endsWith('.ts')) return extractMessages(text)
  const isMarkdown = path.endsWith('.md')
  const blocks = isMarkdown
    ? [...text.matchAll(fence)].map(({ index, 3: code }) => ({ text: code!, line: lineAt(text, index) + 1 }))
    : [{ text: text.replaceAll(/`[^`\n]*`/g, ''), line: 1 }]
  const prose = isMarkdown ? text.replaceAll(fence, (block) => '\n'.repeat(newlines(block))) : text
  // A row of a table escapes its cell separators.
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(({ index, 1: code }) => ({
    text: code!.replaceAll(/\s+/g, ' ').replaceAll('\\|', '|'),
    line: lineAt(prose, index),
  }))
  return [
    ...blocks.map((block) => ({ ...block, inline: false })),
    ...spans.map((span) => ({ ...span, inline: true })),
  ]
}

/** Returns messages for users: inline code in a string, escaped in a template. */
function extractMessages(source: string): Code[] {
  return [...source.matchAll(/(?<![\w(\\])`(postern [^`$\n]+)`|\\`(postern [^`\n]+)\\`/g)].map(
    ({ index, 1: plain, 2: escaped }) => ({
      text: plain ?? escaped!.replaceAll(/\$\{[^}]*\}/g, 'VALUE'),
      line: lineAt(source, index),
      inline: true,
    }),
  )
}

/**
 * Returns the words of the first command of a shell text: up to the end of its line, an operator or a
 * comment.
 */
function readWords(text: string): string[] {
  const word = /(?:\\[^\n]|'[^']*'|"(?:\\[^]|[^"\\])*"|<[\w-]+>|(?<=\w)\|(?=\w)|[^\s\\'"`;&|()<>])+/y
  const space = /(?:[ \t]|\\\n)*/y
  const words: string[] = []
  for (let at = 0; ;) {
    space.lastIndex = at
    space.exec(text)
    word.lastIndex = space.lastIndex
    const [found] = word.exec(text) ?? []
    if (found === undefined || found.startsWith('#')) return words
    words.push(unquote(found))
    at = word.lastIndex
  }
}

function unquote(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])/g,
    (_all, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped!,
  )
}

/** Expands `list|show` to two commands. */
function alternatives(words: readonly string[]): string[][] {
  return words.reduce<string[][]>(
    (lines, word) => {
      const choices = /^\w+(?:\|\w+)+$/.test(word) ? word.split('|') : [word]
      return lines.flatMap((line) => choices.map((choice) => [...line, choice]))
    },
    [[]],
  )
}

function lineAt(text: string, index: number): number {
  return newlines(text.slice(0, index)) + 1
}

function newlines(text: string): number {
  return text.split('\n').length - 1
}
