/** Runs the shell blocks of one page in order, as a reader would, and compares their output with the page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import type { Step } from './blocks.ts'
import { findDifference } from './compare.ts'
import type { Shell } from './shell.ts'

const repeatWithinMs = 30_000

export interface PageRun {
  /** Number of blocks that ran and printed the documented output. */
  readonly ran: number
  /** Blocks for readers only, with the reason. */
  readonly skipped: readonly string[]
  /** The link that a block has printed for the browser, as `npm run dev` does; null if none has. */
  readonly link: string | null
}

/** Throws at the first block that fails. `adapt` replaces examples of a page, such as URLs. */
export async function runPage(
  steps: readonly Step[],
  shell: Shell,
  cwd: string,
  adapt: (code: string) => string = (code) => code,
): Promise<PageRun> {
  const printedValues = new Map<string, string>()
  const skipped: string[] = []
  let ran = 0
  let link: string | null = null
  for (const step of steps) {
    try {
      if (step.kind === 'skip') skipped.push(`line ${step.line}: ${step.reason}`)
      else if (step.kind === 'file') save(join(cwd, step.name), step.code)
      else {
        const printed = await runStep(step, shell, printedValues, adapt)
        link = /(http:\S+) opens /.exec(printed)?.[1] ?? link
        ran += 1
      }
    } catch (error) {
      throw new Error(`line ${step.line}: ${(error as Error).message}`, { cause: error })
    }
  }
  return { ran, skipped, link }
}

/** Returns the output of the step. */
async function runStep(
  step: Extract<Step, { kind: 'run' }>,
  shell: Shell,
  printedValues: Map<string, string>,
  adapt: (code: string) => string,
): Promise<string> {
  const code = adapt(fillIn(step.code, printedValues))
  if (step.background !== null) return shell.start(code, step.background.until)
  const until = step.repeat?.until ?? ''
  const compare = (printed: string): string | null => {
    remember(printed, printedValues)
    if (!printed.includes(until)) return `'${until}' is missing from the output:\n${printed}`
    return step.output === null ? null : findDifference(step.output.text, printed, step.output.language)
  }
  let output = ''
  let difference: string | null = null
  if (step.repeat === null) {
    output = await shell.run(code)
    difference = compare(output)
  } else
    await waitForCondition(repeatWithinMs, async () => {
      const { printed, failed } = await shell.attempt(code)
      output = printed
      difference = failed ? `a command failed; output:\n${printed}` : compare(printed)
      return difference === null
    })
  if (difference !== null)
    throw new Error(`differs from the output on line ${step.output?.line ?? step.line}: ${difference}`)
  return output
}

/**
 * Fills in values that an earlier command printed, as a reader would: `<msgKey>` is the last `"msgKey":"…"`.
 */
function fillIn(code: string, printedValues: ReadonlyMap<string, string>): string {
  return code.replaceAll(/<(\w+)>/g, (placeholder, name: string) => {
    const value = printedValues.get(name)
    if (value === undefined) throw new Error(`no earlier command printed a value for ${placeholder}`)
    return value
  })
}

function remember(printed: string, printedValues: Map<string, string>): void {
  for (const [, name, value] of printed.matchAll(/"(\w+)": ?"([^"]*)"/g)) printedValues.set(name!, value!)
}

function save(path: string, code: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, code)
}
