// `npm test`, run by with-services.ts: runs all tests except those that only a suite runs (`npm run suite`), in seven
// processes at a time, because most of them wait for engines and timers. Files without an engine share one
// process. Other processes run several files one after the other, except files that change the state of the
// process. Files that measure how long real processes take run after them, one at a time.
// Given file names, it runs only those, one at a time, each in its own process: `npm test --
// gateway/src/operations/messages/search.test.ts`.

import { existsSync } from 'node:fs'
import { runTests } from './run-tests.ts'
import { thirdPartyParsers } from '../engines/install/third-party-parsers.ts'
import { projectRoot } from '../engines/paths.ts'
import { divideTests } from './test-groups.ts'
import { writeProcesses } from './test-processes.ts'

const {
  together,
  groups: shared,
  alone,
} = divideTests(projectRoot, [
  'gateway/src/**/*.test.ts',
  'gateway/tools/**/*.test.ts',
  'gateway/test/faults/{cells,chain,chaos}/*.test.ts',
  'gateway/test/model/trust/*.test.ts',
  'gateway/test/support/**/*.test.ts',
  'gateway/test/load/observability/*.test.ts',
  'gateway/test/contract/conformance/registry.test.ts',
  'gateway/test/fuzz/bodies/**/*.test.ts',
  'simulator/src/**/*.test.ts',
  'client/**/*.test.ts',
  'console/test/*.test.ts',
  'tools/**/*.test.ts',
  'bench/**/*.test.ts',
])

/** Most of these files measure how long real processes take. */
const timed = divideTests(projectRoot, [
  'gateway/test/load/{,fairness,growth,idle,overload,rolling,scheduled}/*.test.ts',
])

// --test-isolation=none would report a file as passed that fails between two of its tests.
const processes = writeProcesses([[...together, ...timed.together], ...shared])
process.on('exit', () => processes.remove())

// The simulator is a separate package and finds no file of this project.
if (existsSync(thirdPartyParsers.python)) process.env.RCS_PYDANTIC_PYTHON ??= thirdPartyParsers.python

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
