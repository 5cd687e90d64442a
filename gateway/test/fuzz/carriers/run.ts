/**
 * `npm run suite -- fuzz:carriers [--runs N] [--seed N] [--only kakao,mm7] [--write]`: runs the fuzz test
 * of every connector and of the SMPP server, one after the other, with N inputs per parser (1,000,000). A
 * process that exceeds its heap or makes no progress for minutes is a finding. `npm run suite -- fuzz:smpp`
 * runs those of SMPP, which have their own section on the page. Needs no services. Exits with 0 if nothing
 * was found.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import type { FuzzProgress } from '../../support/fuzz.ts'
import { projectRoot } from '../../support/processes/program.ts'
import { printProgress, printResult, withProgress } from '../../support/measure/progress.ts'
import { writeDocSection } from '../../support/measure/write-doc.ts'
import { fuzzSection, formatProgress, type FuzzedFile } from './page.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() >>> 0) },
    only: { type: 'string' },
    section: { type: 'string', default: 'fuzz' },
    write: { type: 'boolean', default: false },
  },
})
const heapMb = 256
/** A process that reports no progress for longer hangs; it may have to share its CPU. */
const silenceMs = 600_000
const only = values.only?.split(',')
const isSmpp = values.section === 'fuzz-smpp'
const chosen = values.only === undefined || isSmpp ? '' : ` --only ${values.only}`
const script = isSmpp ? 'fuzz:smpp' : 'fuzz:carriers'
const command = `npm run suite -- ${script} --runs ${values.runs} --seed ${values.seed}${chosen} --write`
const found = globSync(
  ['gateway/src/carriers/connectors/*/fuzz.test.ts', 'gateway/src/edge/smpp/fuzz.test.ts'],
  { cwd: projectRoot },
)
  .filter((file) => only === undefined || only.includes(basename(dirname(file))))
  .toSorted()
if (found.length === 0)
  throw new Error('--only: no fuzz.test.ts found; name folders of gateway/src/carriers/connectors')

printProgress(`${values.runs} inputs for each parser, seed ${values.seed}`)
const files: FuzzedFile[] = []
for (const file of found) files.push(await run(file))
if (values.write)
  await writeDocSection('evidence/fuzz.md', values.section, fuzzSection({ command, heapMb, files }))
printResult(
  script,
  files.flatMap(({ file, finding }) => (finding === '' ? [] : [`${file}: ${finding}`])),
)

async function run(file: string): Promise<FuzzedFile> {
  const parsers = new Map<string, FuzzProgress>()
  let current: FuzzProgress | undefined
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, file], {
    cwd: projectRoot,
    env: {
      ...process.env,
      POSTERN_ROUTE_NETWORKS: '127.0.0.0/8',
      POSTERN_FUZZ_RUNS: values.runs,
      POSTERN_FUZZ_SEED: values.seed,
      POSTERN_FUZZ_FD: '3',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  let isSilent = false
  const kill = (): void => {
    isSilent = true
    child.kill('SIGKILL')
  }
  let silence = setTimeout(kill, silenceMs)
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
    clearTimeout(silence)
    silence = setTimeout(kill, silenceMs)
    const progress = JSON.parse(line) as FuzzProgress
    if (current !== undefined && current.parser !== progress.parser) printProgress(formatProgress(current))
    current = progress
    parsers.set(progress.parser, progress)
  })
  const [output, [code]] = await withProgress(
    Promise.all([text(child.stdout!), once(child, 'close') as Promise<[number | null]>]),
    () => (current === undefined ? `${file} starts` : `${current.parser}: ${current.inputs} so far`),
  )
  clearTimeout(silence)
  if (current !== undefined) printProgress(formatProgress(current))
  return { file, parsers: [...parsers.values()], finding: findingOf(code, isSilent, output) }
}

function findingOf(code: number | null, isSilent: boolean, output: string): string {
  if (isSilent) return `no progress for ${silenceMs / 1_000} s`
  if (code === 0) return ''
  return code === null ? 'the process crashed' : `a test failed\n${output.slice(-4_000)}`
}
