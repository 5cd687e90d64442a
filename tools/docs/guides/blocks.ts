/**
 * Parses the code blocks of a Markdown page. Words after the language of the opening fence control the runner:
 *
 *     ```sh                                     run in the shell of the page
 *     ```sh repeat                              run again until its output is as documented
 *     ```sh repeat until="text"                 run again until its output contains the text
 *     ```sh background until="text"             left running; the next block starts when this one has printed the text
 *     ```sh not-run="needs Docker"              for readers only; the paragraph above must contain these words
 *     ```js file=send.mjs                       saved under this name before the next block runs; in any language but sh
 *     ```json output (or ```text output)        output of the previous block
 */

export interface Block {
  /** Line number of the opening fence, from 1. */
  readonly line: number
  readonly language: string
  /** `repeat` is '', `until="text"` is its text. */
  readonly words: Readonly<Record<string, string>>
  /** The paragraph above in one line. */
  readonly above: string
  readonly code: string
}

const allowedWords: Readonly<Record<string, readonly string[]>> = {
  sh: ['repeat', 'background', 'until', 'not-run'],
  output: ['output'],
  file: ['file'],
}

export function readBlocks(page: string): Block[] {
  const blocks: Block[] = []
  const fence = /^( *)(```+)([^\n`]*)\n([^]*?)^\1\2 *$/gm
  for (const match of page.matchAll(fence)) {
    const [, indent, , info, code] = match as unknown as [string, string, string, string, string]
    const [language = '', ...rest] = info.trim().split(/ (.*)/)
    const before = page.slice(0, match.index)
    blocks.push({
      line: before.split('\n').length,
      language,
      words: readWords(rest.join(' ')),
      above: before
        .trimEnd()
        .split(/\n\s*\n/)
        .at(-1)!
        .replaceAll(/\s+/g, ' '),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    })
  }
  return blocks
}

function readWords(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?/g)].map(([, name, quoted, plain]) => [
      name!,
      quoted ?? plain ?? '',
    ]),
  )
}

/** A step of a page: a block to run or to save, with its documented output. */
export type Step =
  | {
      readonly kind: 'file'
      readonly line: number
      readonly language: string
      readonly name: string
      readonly code: string
    }
  | { readonly kind: 'skip'; readonly line: number; readonly reason: string }
  | {
      readonly kind: 'run'
      readonly line: number
      readonly code: string
      /** Text that the output must contain; null if the documented output is enough. */
      readonly repeat: { readonly until: string | null } | null
      /** Text that a background block prints when it is ready; null if the block ends. */
      readonly background: { readonly until: string } | null
      readonly output: { readonly language: string; readonly text: string; readonly line: number } | null
    }

/**
 * Throws at a block with unknown words, so that a misspelt word is noticed, and at a block that is not run for a reason
 * that readers of the page cannot see.
 */
export function readSteps(page: string): Step[] {
  const steps: Step[] = []
  for (const block of readBlocks(page)) {
    const { line, words, code, language } = block
    if ('output' in words) {
      checkWords(block, allowedWords.output!)
      const last = steps.at(-1)
      if (last?.kind === 'skip') continue
      if (last?.kind !== 'run' || last.output !== null)
        throw new Error(`line ${line}: this output follows no shell block`)
      steps[steps.length - 1] = { ...last, output: { language, text: code, line } }
    } else if (words.file !== undefined && language !== 'sh') {
      checkWords(block, allowedWords.file!)
      steps.push({ kind: 'file', line, language, name: words.file, code })
    } else if (language === 'sh') {
      checkWords(block, allowedWords.sh!)
      steps.push(shellStep(block))
    }
  }
  return steps
}

function shellStep({ line, words, above, code }: Block): Step {
  const reason = words['not-run']
  if (reason !== undefined) {
    if (reason === '') throw new Error(`line ${line}: not-run needs a reason`)
    if (!above.includes(reason)) throw new Error(`line ${line}: the text above does not say '${reason}'`)
    return { kind: 'skip', line, reason }
  }
  const { until } = words
  if ('background' in words && until === undefined)
    throw new Error(`line ${line}: background needs until="text"`)
  if (until !== undefined && !('background' in words) && !('repeat' in words))
    throw new Error(`line ${line}: until needs background or repeat`)
  return {
    kind: 'run',
    line,
    code,
    repeat: 'repeat' in words ? { until: until ?? null } : null,
    background: 'background' in words ? { until: until! } : null,
    output: null,
  }
}

function checkWords({ line, words }: Block, allowed: readonly string[]): void {
  const unknown = Object.keys(words).find((word) => !allowed.includes(word))
  if (unknown !== undefined)
    throw new Error(`line ${line}: unknown word ${unknown}; allowed: ${allowed.join(', ')}`)
}
