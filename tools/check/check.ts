// `npm run check`: lint and types, format, structure, language and generated files, two checks at a time,
// because most use one core. Prints the output and the time of each check when it ends. The exit code is 0 only if all
// checks passed.

import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { projectRoot } from '../engines/paths.ts'
import { formatElapsed } from '../engines/print.ts'

const atOnce = 2

/** Ordered by duration, longest first. */
const checks: Readonly<Record<string, readonly string[]>> = {
  lint: ['oxlint', '--format', 'unix'],
  format: ['oxfmt', '--check', '.'],
  structure: ['node', 'tools/check/architecture.ts'],
  language: ['node', 'tools/check/language.ts'],
  generated: ['node', 'gateway/tools/generate.ts', '--check'],
}

const path = [join(projectRoot, 'node_modules/.bin'), process.env.PATH].join(delimiter)
// The linter reads the types of the console, which are not in git.
const types = await run(['node', 'gateway/tools/console-types.ts'])
if (!types.passed) {
  process.stdout.write(types.output)
  process.exitCode = 1
}
const waiting = Object.entries(checks)
await Promise.all(Array.from({ length: atOnce }, runNext))

async function runNext(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next
    const started = performance.now()
    const { output, passed } = await run(command)
    process.stdout.write(`${output}${name}: ${passed ? 'ok' : 'FAILED'} (${formatElapsed(started)})\n`)
    if (!passed) process.exitCode = 1
  }
}

function run([program, ...args]: readonly string[]): Promise<{ output: string; passed: boolean }> {
  return new Promise((resolve) => {
    const child = spawn(program!, args, {
      cwd: projectRoot,
      // The type-aware rules of the linter run in Go and spend a quarter of their CPU on garbage collection with the
      // default of 100.
      env: { GOGC: '400', ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    child.once('error', ({ message }) =>
      resolve({ output: `${message}. Install the packages: npm ci.\n`, passed: false }),
    )
    child.once('close', (code) => resolve({ output, passed: code === 0 }))
  })
}
