// `npm run guides [-- --short] [page…]`: runs every shell block of the README, of docs/install.md, of the README of the gateway's package and of
// the guides against real engines, in a copy of the checkout, and compares what they print with the documented output. --short uses the
// packages that are installed already instead of installing them again, and leaves docs/install.md and the package out. Given pages, the
// first page of their group runs all the same: it starts what they use. A page with a Maven project is left out with --short, and on a
// machine without Maven. A page that needs PHP, a JDK or Python, and does not find it, is left out with --short and fails otherwise. How
// blocks are marked: scripts/guides/blocks.ts.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adaptTo } from './guides/adapt.ts'
import { readSteps, type Step } from './guides/blocks.ts'
import { chooseGroups, type Group } from './guides/pages.ts'
import { findMissingPrograms, findReasonToLeaveOut } from './guides/programs.ts'
import { runPage } from './guides/run-page.ts'
import { openShell, type Shell } from './guides/shell.ts'
import { prepareSurroundings, type Surroundings } from './guides/surroundings.ts'
import { projectRoot } from './services/paths.ts'
import { print, seconds } from './services/print.ts'

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const groups = chooseGroups(values.short, positionals)
// Before anything is started: a misspelt word of a block fails at once.
const stepsOf = new Map(
  groups.flatMap(({ first, others }) => [first, ...others]).map((page) => [page, read(page)]),
)
const totals = { passed: 0, failed: 0, leftOut: 0, blocks: 0, notRun: 0 }
const from = performance.now()
for (const group of groups) await runGroup(group)
print(
  `${totals.passed} pages passed, ${totals.failed} failed, ${totals.leftOut} left out: ` +
    `${totals.blocks} blocks ran, ${totals.notRun} are not run (${seconds(from)})`,
)
process.exitCode = totals.failed > 0 ? 1 : 0

async function runGroup({ first, others }: Group): Promise<void> {
  const place = await prepareSurroundings({ linked: values.short })
  const shell = openShell(place.checkout, place.environment, place.scratch)
  try {
    if (await run(first, place, shell)) for (const page of others) await runInOwnShell(page, place)
    else totals.failed += others.length
  } finally {
    await shell.stop()
    await place.remove()
  }
}

/** Programs that the page leaves running, such as a receiver, end with it. */
async function runInOwnShell(page: string, place: Surroundings): Promise<void> {
  const reason = findReasonToLeaveOut(stepsOf.get(page)!, values)
  if (reason !== null) {
    print(`${page}: left out, ${reason}`)
    totals.leftOut += 1
    return
  }
  const missing = findMissingPrograms(stepsOf.get(page)!)
  if (missing.length > 0) {
    print(`${page}: ${values.short ? 'left out' : 'FAILED'}, it needs ${missing.join(' and ')}`)
    totals[values.short ? 'leftOut' : 'failed'] += 1
    return
  }
  const shell = openShell(place.checkout, place.environment, place.scratch)
  try {
    await run(page, place, shell)
  } finally {
    await shell.stop()
  }
}

async function run(page: string, place: Surroundings, shell: Shell): Promise<boolean> {
  const started = performance.now()
  try {
    const adapt = adaptTo(place.environment, { installed: values.short })
    const { ran, skipped } = await runPage(stepsOf.get(page)!, shell, place.checkout, adapt)
    print(`${page}: ${ran} blocks ran (${seconds(started)})`)
    for (const line of skipped) print(`  not run, ${line}`)
    totals.passed += 1
    totals.blocks += ran
    totals.notRun += skipped.length
    return true
  } catch (error) {
    print(`${page}: FAILED (${seconds(started)}): ${(error as Error).message}`)
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
