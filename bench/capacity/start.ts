/** `npm run capacity`: starts the services only for a measurement; the model itself needs none. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { takeRelease } from '../../scripts/services/releases.ts'
import { projectRoot } from '../gateway.ts'

const args = takeRelease(process.argv.slice(2))
const main = [join(projectRoot, 'bench/capacity/main.ts'), ...args]
const measures = args.includes('--measure') || args.includes('--check')
const services = measures ? [join(projectRoot, 'scripts/with-services.ts'), process.execPath] : []
const child = spawn(process.execPath, [...services, ...main], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
child.once('exit', (code) => (process.exitCode = code ?? 1))
