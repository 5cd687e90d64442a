/** `npm run suite -- capacity`: starts the services only for a measurement; the model needs none. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { extractRelease } from '../../tools/engines/releases.ts'
import { projectRoot } from '../gateway.ts'

const args = extractRelease(process.argv.slice(2))
const main = [join(projectRoot, 'bench/capacity/main.ts'), ...args]
const needsServices = args.includes('--measure') || args.includes('--check')
const services = needsServices ? [join(projectRoot, 'tools/engines/with-services.ts'), process.execPath] : []
const child = spawn(process.execPath, [...services, ...main], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
child.once('exit', (code) => (process.exitCode = code ?? 1))
