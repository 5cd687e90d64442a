/**
 * `npm run suite -- console:test`: runs the browser tests in two processes, each with one browser and one installation at a
 * time. Needs the engines of with-services.ts. `npm run suite -- console:test routes` runs only the named screens or files.
 */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { runTests } from '../../tools/test/run-tests.ts'
import { projectRoot } from '../../tools/engines/paths.ts'
import { writeProcesses } from '../../tools/test/test-processes.ts'

const atOnce = 2
const names = process.argv.slice(2)
const files = globSync('console/test/browser/*.test.ts', { cwd: projectRoot }).filter(
  (file) => names.length === 0 || names.some((name) => file === name || file.endsWith(`/${name}.test.ts`)),
)
if (files.length === 0) throw new Error(`no test for ${names.join(', ')} found in console/test/browser`)

/** Approximate duration in seconds; only the relation matters. */
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
  batches: 50,
  webhooks: 49,
  senders: 49,
  'sign-in': 47,
  incidents: 41,
}
const estimateSeconds = (file: string): number => seconds[basename(file, '.test.ts')] ?? 60

/** Assigns the longest files first, each to the group with the shortest total. */
function divide(): string[][] {
  const groups: { paths: string[]; seconds: number }[] = []
  for (let nth = 0; nth < Math.min(atOnce, files.length); nth += 1) groups.push({ paths: [], seconds: 0 })
  for (const file of files.sort((a, b) => estimateSeconds(b) - estimateSeconds(a))) {
    const shortest = groups.reduce((least, group) => (group.seconds < least.seconds ? group : least))
    shortest.paths.push(file)
    shortest.seconds += estimateSeconds(file)
  }
  return groups.map(({ paths }) => paths)
}

const processes = writeProcesses(divide())
process.on('exit', () => processes.remove())
await runTests([{ files: processes.files, concurrency: atOnce }])
