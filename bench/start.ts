/** `npm run bench`: starts the services that the bench needs, of the release that `--engines` names, and runs it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { takeRelease } from '../scripts/services/releases.ts'
import { projectRoot } from './gateway.ts'

const script = (name: string): string => join(projectRoot, name)
try {
  const args = takeRelease(process.argv.slice(2))
  const command = [process.execPath, script('bench/run.ts'), ...args]
  // Takes the environment, in which the release was chosen.
  const child = spawn(process.execPath, [script('scripts/with-services.ts'), ...command], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => (process.exitCode = code ?? 1))
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
