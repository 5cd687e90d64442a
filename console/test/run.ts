// `npm run console:test`, within with-services.ts: the tests of the screens in two processes, each with one browser and one installation
// after the other. With names of screens or files, only those: `npm run console:test -- routes`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../scripts/services/paths.ts'
import { writeProcesses } from '../../scripts/test-processes.ts'

const atOnce = 2
const names = process.argv.slice(2)
const files = globSync('console/test/browser/*.test.ts', { cwd: projectRoot }).filter(
  (file) => names.length === 0 || names.some((name) => file === name || file.endsWith(`/${name}.test.ts`)),
)
if (files.length === 0) throw new Error(`there is no test of ${names.join(', ')} in console/test/browser`)

/** The longest first, each where the least is: what a file takes follows from its length. */
function divide(): string[][] {
  const sizeOf = (file: string): number => statSync(join(projectRoot, file)).size
  const groups: { paths: string[]; size: number }[] = []
  for (let nth = 0; nth < Math.min(atOnce, files.length); nth += 1) groups.push({ paths: [], size: 0 })
  for (const file of files.sort((a, b) => sizeOf(b) - sizeOf(a))) {
    const smallest = groups.reduce((least, group) => (group.size < least.size ? group : least))
    smallest.paths.push(file)
    smallest.size += sizeOf(file)
  }
  return groups.map(({ paths }) => paths)
}

const processes = writeProcesses(divide())
process.on('exit', () => processes.remove())
const child = spawn(process.execPath, ['--test', `--test-concurrency=${atOnce}`, ...processes.files], {
  cwd: projectRoot,
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
const [code] = (await once(child, 'exit')) as [number | null]
process.exitCode = code ?? 1
