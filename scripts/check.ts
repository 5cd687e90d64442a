// `npm run check`: lint and types, format, structure and generated files, two at a time: most use one core.
// Prints what a check wrote when it has ended, and its time. A check that fails does not stop the others; the exit code
// is 0 only if all passed.

import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { projectRoot } from './services/paths.ts'
import { seconds } from './services/print.ts'

const atOnce = 2

/** The longest first, so that the others run beside it. */
const checks: Readonly<Record<string, readonly string[]>> = {
  lint: ['oxlint', '--format', 'unix'],
  format: ['node', 'scripts/format-check.ts'],
  structure: ['node', 'scripts/architecture.ts'],
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
    process.stdout.write(`${output}${name}: ${passed ? 'ok' : 'FAILED'} (${seconds(started)})\n`)
    if (!passed) process.exitCode = 1
  }
}

function run([program, ...args]: readonly string[]): Promise<{ output: string; passed: boolean }> {
  return new Promise((resolve) => {
    const child = spawn(program!, args, {
      cwd: projectRoot,
      // Of the linter, which is written in Go: at its default of 100, collecting garbage takes a quarter of its CPU (38 s instead of 27 s).
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
