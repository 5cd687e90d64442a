// `npm test`, within with-services.ts: all tests except those of `test:slow`, in seven processes at a time. Files without an engine run in
// one of them: 40 s instead of minutes. Most of the time of the others is waiting for engines and timers: with five processes
// a quarter of 2 cores was idle. A process runs several files one after the other, except those that change what belongs to the whole process.
// Files that measure how long real processes take run after them, one at a time.
// Given file names, it runs only those, one at a time, each in its own process: `npm test -- gateway/src/admin/search.test.ts`.

import { existsSync } from 'node:fs'
import { runTests } from './run-tests.ts'
import { foreignReaders } from './services/foreign-readers.ts'
import { projectRoot } from './services/paths.ts'
import { divideTests } from './test-groups.ts'
import { writeProcesses } from './test-processes.ts'

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

// The simulator is a package of its own and finds no file of this project.
if (existsSync(foreignReaders.python)) process.env.RCS_PYDANTIC_PYTHON ??= foreignReaders.python

const named = process.argv.slice(2)
await runTests(
  named.length > 0
    ? [{ files: named, concurrency: 1 }]
    : [
        { files: [...processes.files, ...alone], concurrency: 7 },
        { files: [...timed.groups.flat(), ...timed.alone], concurrency: 1 },
      ],
  processes.contents,
)
