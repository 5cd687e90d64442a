// `npm run console:test`, within with-services.ts: the tests of the screens in two processes, each with one browser and one installation
// after the other. With names of screens or files, only those: `npm run console:test -- routes`.

import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { runTests } from '../../scripts/run-tests.ts'
import { projectRoot } from '../../scripts/services/paths.ts'
import { writeProcesses } from '../../scripts/test-processes.ts'

const atOnce = 2
const names = process.argv.slice(2)
const files = globSync('console/test/browser/*.test.ts', { cwd: projectRoot }).filter(
  (file) => names.length === 0 || names.some((name) => file === name || file.endsWith(`/${name}.test.ts`)),
)
if (files.length === 0) throw new Error(`there is no test of ${names.join(', ')} in console/test/browser`)

/** Measured with two processes on a busy machine. Only their relation counts; of a new file nothing is known. */
const seconds: Readonly<Record<string, number>> = {
  accounts: 152,
  messages: 141,
  routes: 123,
  'first-day': 110,
  sandbox: 107,
  audit: 94,
  'self-service': 91,
  parked: 79,
  rules: 75,
  now: 69,
  webhooks: 49,
  senders: 49,
  'sign-in': 47,
  incidents: 41,
}
const secondsOf = (file: string): number => seconds[basename(file, '.test.ts')] ?? 60

/** The longest first, each where the least is. */
function divide(): string[][] {
  const groups: { paths: string[]; seconds: number }[] = []
  for (let nth = 0; nth < Math.min(atOnce, files.length); nth += 1) groups.push({ paths: [], seconds: 0 })
  for (const file of files.sort((a, b) => secondsOf(b) - secondsOf(a))) {
    const shortest = groups.reduce((least, group) => (group.seconds < least.seconds ? group : least))
    shortest.paths.push(file)
    shortest.seconds += secondsOf(file)
  }
  return groups.map(({ paths }) => paths)
}

const processes = writeProcesses(divide())
process.on('exit', () => processes.remove())
await runTests([{ files: processes.files, concurrency: atOnce }])
