// `npm test`, within with-services.ts: all tests except those of `test:slow`, in seven processes at a time. Files without an engine run in
// one of them: 40 s instead of minutes. Most of the time of the others is waiting for engines and timers: with five processes
// a quarter of 2 cores was idle. A process runs several files one after the other, except those that change what belongs to the whole process.
// Files that measure how long real processes take run after them, one at a time. The exit code is 0 only if all groups passed.
// With file names, only those, one at a time, each in a process of its own: `npm test -- gateway/src/admin/search.test.ts`. `process-09` is the ninth
// process of the run, with all of its files.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { foreignReaders } from './services/foreign-readers.ts'
import { projectRoot } from './services/paths.ts'
import { divideTests } from './test-groups.ts'
import { writeProcesses } from './test-processes.ts'

const timeLimit = '--test-timeout=120000'

const {
  together,
  groups: shared,
  alone,
} = divideTests(projectRoot, [
  'gateway/src/**/*.test.ts',
  'gateway/tools/**/*.test.ts',
  'gateway/test/{cells,chain,chaos,observability,support,trust}/*.test.ts',
  'gateway/test/conformance/registry.test.ts',
  'gateway/test/fuzz-bodies/**/*.test.ts',
  'simulator/src/**/*.test.ts',
  'client/**/*.test.ts',
  'console/test/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/**/*.test.ts',
])

/** Most measure how long real processes take. */
const timed = divideTests(projectRoot, ['gateway/test/endurance/*.test.ts'])

// Not with --test-isolation=none: it takes a file that fails between two of its tests for one that has passed.
const processes = writeProcesses([[...together, ...timed.together], ...shared])
process.on('exit', () => processes.remove())

const named = process.argv.slice(2).map((name) => {
  const [, nth] = /^process-(\d+)$/.exec(name) ?? []
  return nth === undefined ? name : (processes.files[Number(nth) - 1] ?? name)
})
const all: readonly (readonly string[])[] = [
  ['--test-concurrency=7', ...processes.files, ...alone],
  ['--test-concurrency=1', ...timed.groups.flat(), ...timed.alone],
]
const groups = named.length > 0 ? [['--test-concurrency=1', ...named]] : all

// The simulator is a package of its own and finds no file of this project.
const environment = existsSync(foreignReaders.python)
  ? { RCS_PYDANTIC_PYTHON: foreignReaders.python, ...process.env }
  : process.env

let child: ChildProcess | undefined
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interruption.abort()
    child?.kill(signal)
  })
}
for (const group of groups) {
  if (interruption.signal.aborted) break
  const args = ['--test', timeLimit, ...group]
  child = spawn(process.execPath, args, { cwd: projectRoot, env: environment, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  // Read by .ci/run: a group that ended badly without a failing test, as one that was killed, is not tried a second time.
  process.stdout.write(`ℹ exit ${code ?? 1}\n`)
  if (code !== 0) process.exitCode = 1
}
