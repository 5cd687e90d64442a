// `npm run suite` lists the suites; `npm run suite -- <name> [options]` runs one, with the engines that it needs.

import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { suites, type Suite } from '../gateway/test/suites.ts'
import { projectRoot } from './engines/paths.ts'

const [name, ...args] = process.argv.slice(2)
const suite = suites.find((candidate) => candidate.name === name)
if (suite !== undefined) process.exitCode = await runSuite(suite, args)
else {
  if (name !== undefined && name !== '--help') {
    process.stderr.write(`suite '${name}' not found; choose one of:\n\n`)
    process.exitCode = 2
  }
  process.stdout.write(suites.map(describeSuite).join(''))
}

function describeSuite({ name, proves, takes, needs, ci }: Suite): string {
  const indent = ' '.repeat(19)
  const needed = needs === undefined ? '' : `; needs ${needs}`
  return `${name.padEnd(18)} ${proves}\n${indent}takes ${takes}${needed}${ci === undefined ? '' : '; part of CI'}\n`
}

/** Resolves with the exit code of the suite. */
async function runSuite(suite: Suite, args: readonly string[]): Promise<number> {
  const { run, engines, buildsConsole, environment } = suite
  if (buildsConsole) {
    const code = await runProgram('vite', ['build', 'console', '--logLevel', 'warn'])
    if (code !== 0) return code
  }
  if (engines === undefined) return runProgram('node', [...run, ...args], environment)
  const speed = engines === 'fast' ? ['--fast'] : []
  return runProgram(
    'node',
    ['tools/engines/with-services.ts', ...speed, 'node', ...run, ...args],
    environment,
  )
}

function runProgram(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<number> {
  const path = [join(projectRoot, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: projectRoot,
      stdio: 'inherit',
      env: { ...process.env, ...environment, PATH: path },
    })
    // The suite cleans up after an interruption; this process waits for it.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => child.kill(signal))
    child.once('error', ({ message }) => {
      process.stderr.write(`${program} cannot be started: ${message}. Run npm ci.\n`)
      resolve(1)
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
