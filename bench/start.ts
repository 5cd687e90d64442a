/** `npm run suite -- bench`: starts the required services, of the release named by `--engines`, and runs the bench. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { extractRelease } from '../tools/engines/releases.ts'
import { projectRoot } from './gateway.ts'

const script = (name: string): string => join(projectRoot, name)
try {
  const args = extractRelease(process.argv.slice(2))
  const command = [process.execPath, script('bench/run.ts'), ...args]
  // The child inherits the environment, which selects the release.
  const child = spawn(process.execPath, [script('tools/engines/with-services.ts'), ...command], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => (process.exitCode = code ?? 1))
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
