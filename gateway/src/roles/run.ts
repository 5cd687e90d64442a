/** Runs roles until SIGTERM or SIGINT, then drains within the time allowed. */
import { startOps } from '../edge/ops.ts'
import { loadConfig } from '../platform/config.ts'
import { openRuntime } from '../runtime.ts'
import { startApi } from './api.ts'
import type { Role } from './role.ts'
import { startWorker } from './worker.ts'

export type RoleName = 'api' | 'worker' | 'all'

export async function runRoles(name: RoleName): Promise<void> {
  const config = loadConfig()
  const runtime = openRuntime(config, name)
  const { log } = runtime
  const roles: Role[] = []
  const readiness = (): Record<string, boolean> => {
    const started: Record<string, boolean> = { started: roles.length === (name === 'all' ? 2 : 1) }
    return roles.reduce((checks, role) => ({ ...checks, ...role.readiness() }), started)
  }
  const ops = await startOps(config.opsHost, config.opsPort, readiness, runtime.metrics)
  log.info({ port: ops.port }, 'ops listening')

  let stopping = false
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error(
        { seconds: config.drainSeconds },
        'not drained in time; what is left will be repeated by another process',
      )
      process.exit(1)
    }, config.drainSeconds * 1000).unref()
    await Promise.all(roles.map((role) => role.drain()))
    await runtime.close()
    await ops.close()
    log.info({}, 'stopped')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))

  if (name !== 'api') roles.push(await startWorker(runtime))
  if (name !== 'worker') roles.push(await startApi(runtime))
}
