// `npm run suite -- guides [--short] [page…]`: runs every shell block of the README, of
// docs/start/first-message.md, docs/operations/packages.md, the README of the gateway's package and the guides
// against real engines in a copy of the checkout, and compares the output with the documentation.
// --short uses the installed packages and skips docs/operations/packages.md and the package's README.
// If pages are named, the first page of their group still runs, because it starts what they use. Pages with a
// Maven project are skipped with --short or without Maven. If PHP, a JDK or Python is missing, the pages that need
// it are skipped with --short and fail otherwise. tools/docs/guides/blocks.ts describes how blocks are marked.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adaptTo } from './guides/adapt.ts'
import { readSteps, type Step } from './guides/blocks.ts'
import { chooseGroups, type PageGroup } from './guides/pages.ts'
import { findMissingPrograms, findReasonToLeaveOut } from './guides/programs.ts'
import { runPage } from './guides/run-page.ts'
import { openShell, type Shell } from './guides/shell.ts'
import { prepareSurroundings, type Surroundings } from './guides/surroundings.ts'
import { projectRoot } from '../engines/paths.ts'
import { print, formatElapsed } from '../engines/print.ts'

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const groups = chooseGroups(values.short, positionals)
// Read before anything is started, so that a misspelt marker of a block fails immediately.
const stepsByPage = new Map(
  groups.flatMap(({ first, others }) => [first, ...others]).map((page) => [page, read(page)]),
)
const totals = { passed: 0, failed: 0, skipped: 0, blocks: 0, notRun: 0 }
const from = performance.now()
for (const group of groups) await runGroup(group)
print(
  `${totals.passed} pages passed, ${totals.failed} failed, ${totals.skipped} skipped: ` +
    `${totals.blocks} blocks ran, ${totals.notRun} were skipped (${formatElapsed(from)})`,
)
process.exitCode = totals.failed > 0 ? 1 : 0

async function runGroup({ first, others }: PageGroup): Promise<void> {
  const surroundings = await prepareSurroundings({ linked: values.short })
  const shell = openShell(surroundings.checkout, surroundings.environment, surroundings.scratch)
  try {
    if (await run(first, surroundings, shell))
      for (const page of others) await runInOwnShell(page, surroundings)
    else totals.failed += others.length
  } finally {
    await shell.stop()
    await surroundings.remove()
  }
}

/** Programs that the page leaves running, such as a receiver, end with its shell. */
async function runInOwnShell(page: string, surroundings: Surroundings): Promise<void> {
  const reason = findReasonToLeaveOut(stepsByPage.get(page)!, values)
  if (reason !== null) {
    print(`${page}: skipped, ${reason}`)
    totals.skipped += 1
    return
  }
  const missing = findMissingPrograms(stepsByPage.get(page)!)
  if (missing.length > 0) {
    print(`${page}: ${values.short ? 'skipped' : 'FAILED'}, requires ${missing.join(' and ')}`)
    totals[values.short ? 'skipped' : 'failed'] += 1
    return
  }
  const shell = openShell(surroundings.checkout, surroundings.environment, surroundings.scratch)
  try {
    await run(page, surroundings, shell)
  } finally {
    await shell.stop()
  }
}

async function run(page: string, surroundings: Surroundings, shell: Shell): Promise<boolean> {
  const started = performance.now()
  try {
    const adapt = adaptTo(surroundings.environment, { installed: values.short })
    const { ran, skipped } = await runPage(stepsByPage.get(page)!, shell, surroundings.checkout, adapt)
    print(`${page}: ${ran} blocks ran (${formatElapsed(started)})`)
    for (const line of skipped) print(`  not run, ${line}`)
    totals.passed += 1
    totals.blocks += ran
    totals.notRun += skipped.length
    return true
  } catch (error) {
    print(`${page}: FAILED (${formatElapsed(started)}): ${(error as Error).message}`)
    totals.failed += 1
    return false
  }
}

function read(page: string): readonly Step[] {
  try {
    return readSteps(readFileSync(join(projectRoot, page), 'utf8'))
  } catch (error) {
    throw new Error(`${page}, ${(error as Error).message}`, { cause: error })
  }
}
