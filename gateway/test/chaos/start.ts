/**
 * `npm run chaos`: starts the services that the run needs and runs it on them. The full run has its own service set in a
 * subdirectory, because three broker nodes and a standby would slow down every other test.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { servicesDirectory } from '../../../scripts/services/paths.ts'
import { readSet } from '../../../scripts/services/service-set.ts'
import { projectRoot } from '../support/processes/program.ts'
import { parseOptions, usage } from './options.ts'

const args = process.argv.slice(2)
if (args.includes('--help')) {
  process.stdout.write(usage)
  process.exit(0)
}
const { short } = parseOptions(args)
const script = (name: string): string => join(projectRoot, name)
const command = [process.execPath, script('gateway/test/chaos/run.ts'), ...args]
const set = readSet()
const isLarge = set?.pair !== undefined && set.nodes === 3
const environment = { ...process.env }
if (!short && !isLarge) {
  for (const name of ['POSTERN_DATABASE_URL', 'POSTERN_BROKER_URLS', 'POSTERN_REDIS_URL']) {
    Reflect.deleteProperty(environment, name)
  }
  environment.POSTERN_SERVICES_DIR = join(servicesDirectory(), 'cluster')
}
const child = spawn(
  process.execPath,
  [script('scripts/with-services.ts'), ...(short ? [] : ['--cluster', '3', '--standby']), ...command],
  { stdio: 'inherit', env: environment },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
child.once('exit', (code) => (process.exitCode = code ?? 1))
