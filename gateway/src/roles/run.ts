/**
 * Runs roles until SIGTERM or SIGINT, then drains within the time allowed. An API first says that it is not ready and
 * serves on for a while: who follows /readyz has left by the time it stops listening.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startOps } from '../api/server/ops.ts'
import { loadConfig } from '../platform/config.ts'
import { openRuntime } from './runtime.ts'
import { startApi } from './api.ts'
import type { Role } from './role.ts'
import { startWorker } from './worker.ts'

export type RoleName = 'api' | 'worker' | 'all'

export async function runRoles(name: RoleName): Promise<void> {
  const config = loadConfig()
  const runtime = openRuntime(config, name)
  const { log } = runtime
  const roles: Role[] = []
  let stopping = false
  const readiness = (): Record<string, boolean> => {
    const own: Record<string, boolean> = {
      started: roles.length === (name === 'all' ? 2 : 1),
      staying: !stopping,
    }
    return roles.reduce((checks, role) => ({ ...checks, ...role.readiness() }), own)
  }
  const ops = await startOps(config.opsHost, config.opsPort, readiness, runtime.metrics)
  log.info({ port: ops.port }, 'ops listening')

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    // A person at a terminal is no load balancer.
    if (signal === 'SIGTERM' && name !== 'worker') {
      for (const role of roles) role.leave?.()
      await delay(config.drainDelaySeconds * 1000)
    }
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
