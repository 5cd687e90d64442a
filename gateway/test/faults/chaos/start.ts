/**
 * `npm run suite -- chaos` starts the required services and then `run.ts`. Unless the current service set has
 * three broker nodes and a standby, the full run has a separate set in a subdirectory, because these nodes would
 * slow down other tests.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { works } from '../../../../tools/engines/install/install.ts'
import { servicesDirectory } from '../../../../tools/engines/paths.ts'
import { readSet } from '../../../../tools/engines/service-set.ts'
import { projectRoot } from '../../support/processes/program.ts'
import { parseChaosOptions, usage } from './options.ts'

const args = process.argv.slice(2)
if (args.includes('--help')) {
  process.stdout.write(usage)
  process.exit(0)
}
const { short } = parseChaosOptions(args)
if (!short && !works('prometheus', '--version')) {
  process.stderr.write(
    'prometheus is not installed; run: apt-get install --no-install-recommends prometheus\n',
  )
  process.exit(2)
}
const script = (name: string): string => join(projectRoot, name)
const command = [process.execPath, script('gateway/test/faults/chaos/run.ts'), ...args]
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
  [script('tools/engines/with-services.ts'), ...(short ? [] : ['--cluster', '3', '--standby']), ...command],
  { stdio: 'inherit', env: environment },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
child.once('exit', (code) => (process.exitCode = code ?? 1))
