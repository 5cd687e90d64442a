// `npm run suite -- matrix [--engines installed,today,next] [--suites e2e,chaos,bench] [--write]`: runs
// suites on engines of three Debian releases, one after the other, each on its own set of services. Prints a
// table and "N passed, N failed". `--write` merges the results into tools/matrix/results.json and writes
// docs/evidence/engines.md.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchFigures } from './bench-figures.ts'
import { printTable, readResults, writeResults } from './page.ts'
import { isRelease, isSuite, suites, type MatrixResult, type SuiteName } from './results.ts'
import { ensureServices, serviceStatus, wipeServices } from '../engines/index.ts'
import { projectRoot } from '../engines/paths.ts'
import { lastBlock } from '../engines/ports.ts'
import { print } from '../engines/print.ts'
import { releases, type EngineRelease } from '../engines/releases.ts'

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: releases.join(',') },
    suites: { type: 'string', default: Object.keys(suites).join(',') },
    write: { type: 'boolean', default: false },
  },
})
const chosenReleases = values.engines.split(',').filter(isRelease)
const chosenSuites = values.suites.split(',').filter(isSuite)
if (chosenReleases.length === 0 || chosenSuites.length === 0)
  throw new Error(
    `--engines must be some of ${releases.join(', ')}, --suites some of ${Object.keys(suites).join(', ')}`,
  )
for (const name of ['POSTERN_DATABASE_URL', 'POSTERN_BROKER_URLS', 'POSTERN_REDIS_URL'])
  Reflect.deleteProperty(process.env, name)

// The services are stopped however the run ends.
let running: ChildProcess | undefined
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interruption.abort()
    stopGroup(running, signal)
  })

const outcomes: MatrixResult[] = []
for (const release of chosenReleases)
  if (!interruption.signal.aborted) outcomes.push(...(await runOn(release)))
printTable(outcomes)
if (values.write && !interruption.signal.aborted) await writeResults([...keptResults(), ...outcomes])
const failed = outcomes.filter(({ passed }) => !passed).length
process.stdout.write(`${outcomes.length - failed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 || interruption.signal.aborted ? 1 : 0

/** npm does not forward signals to its child processes. */
function stopGroup(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // The group has ended.
  }
}

function keptResults(): MatrixResult[] {
  const isNew = (kept: MatrixResult): boolean =>
    outcomes.some(({ release, suite }) => release === kept.release && suite === kept.suite)
  return readResults().filter((kept) => !isNew(kept))
}

async function runOn(release: EngineRelease): Promise<MatrixResult[]> {
  const folder = mkdtempSync('/var/tmp/postern-matrix-')
  // PostgreSQL runs under its own account.
  chmodSync(folder, 0o755)
  process.env.POSTERN_ENGINES = release
  process.env.POSTERN_SERVICES_DIR = join(folder, 'services')
  const found: MatrixResult[] = []
  try {
    // Avoids the ports of a checkout's own set, which may be stopped at the moment.
    await ensureServices({ block: lastBlock })
    const versions = Object.fromEntries((await serviceStatus()).map(({ name, version }) => [name, version]))
    for (const suite of chosenSuites)
      if (!interruption.signal.aborted) found.push(await runSuite({ release, suite, versions, folder }))
    return found
  } finally {
    await wipeServices()
    // Keeps the log of a failed suite.
    if (found.every(({ passed }) => passed)) rmSync(folder, { recursive: true, force: true })
  }
}

interface Run {
  readonly release: EngineRelease
  readonly suite: SuiteName
  readonly versions: Readonly<Record<string, string>>
  readonly folder: string
}

async function runSuite({ release, suite, versions, folder }: Run): Promise<MatrixResult> {
  const [command, ...args] = suites[suite].command
  const log = join(folder, `${suite}.log`)
  print(`${release}: ${suite}: ${[command, ...args].join(' ')}; log in ${log}`)
  const from = performance.now()
  const output = createWriteStream(log)
  const child = spawn(command, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  running = child
  for (const stream of [child.stdout, child.stderr]) stream.pipe(output, { end: false })
  const [code] = (await once(child, 'close')) as [number | null]
  running = undefined
  await new Promise<void>((resolve) => output.end(resolve))
  const passed = code === 0
  print(`${release}: ${suite}: ${passed ? 'ok' : `FAILED with ${code}`}`)
  return {
    release,
    suite,
    passed,
    versions,
    seconds: Math.round((performance.now() - from) / 1000),
    on: new Date().toISOString().slice(0, 10),
    revision: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    ...(suite === 'bench' && passed ? { figures: benchFigures(readFileSync(log, 'utf8')) } : {}),
  }
}
