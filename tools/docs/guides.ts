// `npm run suite -- guides [--short] [page…]`: runs every shell block of the README, of
// docs/start/first-message.md, docs/operations/packages.md, the README of the gateway's package and the guides
// against real engines in a copy of the checkout, and compares the output with the documentation.
// --short uses the installed packages and skips docs/operations/packages.md and the package's README.
// If pages are named, the page that starts or installs what they use runs as well. Pages with a
// Maven project are skipped with --short or without Maven. If PHP, a JDK or Python is missing, the pages that need
// it are skipped with --short and fail otherwise. tools/docs/guides/blocks.ts describes how blocks are marked.
// After the README and the first message, a browser opens the link that `npm run dev` has printed and must show the
// message on its phone.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adaptTo } from './guides/adapt.ts'
import { readSteps, type Step } from './guides/blocks.ts'
import { chooseGroups, type PageGroup } from './guides/pages.ts'
import { findMissingPrograms, findReasonToLeaveOut } from './guides/programs.ts'
import { runPage, type PageRun } from './guides/run-page.ts'
import { openShell, type Shell } from './guides/shell.ts'
import { prepareSurroundings, type Surroundings } from './guides/surroundings.ts'
import { seeMessage } from '../../console/test/support/see-message.ts'
import { projectRoot } from '../engines/paths.ts'
import { print, formatElapsed } from '../engines/print.ts'

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const groups = chooseGroups(values.short, positionals)
// Read before anything is started, so that a misspelt marker of a block fails immediately.
const stepsByPage = new Map(
  groups
    .flatMap(({ running, pages }) => (running === null ? pages : [running, ...pages]))
    .map((page) => [page, read(page)]),
)
/** Pages that tell their reader to open the link of `npm run dev`, with the text that each sends to one phone. */
const textsOnPhone: Readonly<Record<string, string>> = {
  'README.md': 'Hello from Postern',
  'docs/start/first-message.md': 'My first message',
}
const totals = { passed: 0, failed: 0, skipped: 0, blocks: 0, notRun: 0 }
const from = performance.now()
for (const group of groups) await runGroup(group)
print(
  `${totals.passed} pages passed, ${totals.failed} failed, ${totals.skipped} skipped: ` +
    `${totals.blocks} blocks ran, ${totals.notRun} were skipped (${formatElapsed(from)})`,
)
process.exitCode = totals.failed > 0 ? 1 : 0

async function runGroup({ running, pages }: PageGroup): Promise<void> {
  const surroundings = await prepareSurroundings({ linked: values.short })
  const shell = openShell(surroundings.checkout, surroundings.environment, surroundings.scratch)
  try {
    const started = running === null ? null : await run({ page: running, surroundings, shell, link: null })
    if (running === null || started !== null)
      for (const page of pages) await runInOwnShell(page, surroundings, started?.link ?? null)
    else totals.failed += pages.length
  } finally {
    await shell.stop()
    await surroundings.remove()
  }
}

/** Programs that the page leaves running, such as a receiver, end with its shell. */
async function runInOwnShell(page: string, surroundings: Surroundings, link: string | null): Promise<void> {
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
    await run({ page, surroundings, shell, link })
  } finally {
    await shell.stop()
  }
}

interface OpenPage {
  readonly page: string
  readonly surroundings: Surroundings
  readonly shell: Shell
  /** The link that the running page of the group has printed. */
  readonly link: string | null
}

/** Returns null if the page fails. */
async function run({ page, surroundings, shell, link }: OpenPage): Promise<PageRun | null> {
  const started = performance.now()
  try {
    const adapt = adaptTo(surroundings.environment, { installed: values.short })
    const pageRun = await runPage(stepsByPage.get(page)!, shell, surroundings.checkout, adapt)
    const text = textsOnPhone[page]
    if (text !== undefined) await seeOnPhone(pageRun.link ?? link, text)
    const { ran, skipped } = pageRun
    print(`${page}: ${ran} blocks ran (${formatElapsed(started)})`)
    for (const line of skipped) print(`  not run, ${line}`)
    totals.passed += 1
    totals.blocks += ran
    totals.notRun += skipped.length
    return pageRun
  } catch (error) {
    print(`${page}: FAILED (${formatElapsed(started)}): ${(error as Error).message}`)
    totals.failed += 1
    return null
  }
}

async function seeOnPhone(link: string | null, text: string): Promise<void> {
  if (link === null) throw new Error('no command has printed a link to open')
  await seeMessage({ link, number: '01000000001', text })
}

function read(page: string): readonly Step[] {
  try {
    return readSteps(readFileSync(join(projectRoot, page), 'utf8'))
  } catch (error) {
    throw new Error(`${page}, ${(error as Error).message}`, { cause: error })
  }
}
