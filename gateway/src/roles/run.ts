/**
 * Runs the roles of a process until SIGTERM or SIGINT, then drains them within the configured time. A process that
 * clients connect to first reports that it is not ready and keeps serving for a while, so that load balancers that poll
 * /readyz send it nothing by the time it stops listening.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startOps } from '../api/server/ops.ts'
import { startClockMeasurement } from '../platform/clock-measurement.ts'
import { hasSeenNoJump } from '../platform/membership/tables.ts'
import { clock, type Clock } from '../platform/clock.ts'
import { loadRoleConfig, type Config } from '../platform/config.ts'
import type { Periodic } from '../platform/periodic.ts'
import { openRuntime, type MemberRuntime } from './runtime.ts'
import { startAdmin } from './admin.ts'
import { startApi } from './api.ts'
import { checkDatabaseUser } from './check-database-user.ts'
import { prepareSecrets, startMessageKeys } from './prepare-secrets.ts'
import type { Role, RoleName } from './role.ts'
import { startSmppServer } from './smpp-server.ts'
import { startWorker } from './worker.ts'

/** An API does all its work on the database's time; a worker whose clock may be wrong leaves some of it to others. Pure. */
export function isClockReady(
  name: RoleName,
  { isMeasured, agrees }: Pick<Clock, 'isMeasured' | 'agrees'>,
): boolean {
  return isMeasured && (name === 'api' || name === 'admin' || name === 'smpp-server' || agrees)
}

export async function runRoles(name: RoleName): Promise<void> {
  const config = loadRoleConfig(name)
  const runtime = openRuntime(config, name)
  const { log } = runtime
  // Node would print the error with all its fields, and with them what a driver was working on.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an unexpected error ends this process; report it as a bug')
    process.exit(1)
  })
  clock.maxSkewMs = config.maxClockSkewSeconds * 1000
  const measurement = startClockMeasurement({
    ...runtime,
    url: config.databaseUrl,
    clock,
    isExplained: (since) => hasSeenNoJump(runtime.database, since),
  })
  const starts = startsOf(name, config)
  const roles: Role[] = []
  let stopping = false
  const periodics: Periodic[] = []
  const readiness = (): Record<string, boolean> => {
    const own: Record<string, boolean> = {
      started: roles.length === starts.length,
      running: !stopping,
      clock: isClockReady(name, clock),
    }
    for (const role of roles)
      // A check that both roles have must hold for both.
      for (const [check, holds] of Object.entries(role.readiness()))
        own[check] = holds && own[check] !== false
    return own
  }
  const ops = await startOps(config.opsHost, config.opsPort, readiness, runtime.metrics)
  log.info({ port: ops.port }, 'ops listening')

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info({ signal, seconds: config.drainSeconds }, 'stopping; finishing the work in progress')
    // SIGINT comes from a person at a terminal, where no load balancer polls.
    if (signal === 'SIGTERM' && name !== 'worker') {
      for (const role of roles) role.prepareStop?.()
      await delay(config.drainDelaySeconds * 1000)
    }
    setTimeout(() => {
      log.error(
        { seconds: config.drainSeconds },
        'work in progress did not finish in time; exiting. The broker delivers what is left to another process. Raise POSTERN_DRAIN_SECONDS if this repeats',
      )
      process.exit(1)
    }, config.drainSeconds * 1000).unref()
    await Promise.all(roles.map((role) => role.drain()))
    await Promise.all(periodics.map((periodic) => periodic.stop()))
    await measurement.stop()
    await runtime.close()
    await ops.close()
    log.info({}, 'stopped')
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))

  // Without the database's time no deadline is right, and no msgKey.
  await measurement.measured
  await checkDatabaseUser(runtime, name)
  await prepareSecrets(runtime, { encrypts: name === 'worker' || name === 'all' })
  periodics.push(startMessageKeys(runtime))
  for (const start of starts) roles.push(await start(runtime))
}

/** In the order in which they start. */
function startsOf(
  name: RoleName,
  { adminPort, smppServerPort }: Pick<Config, 'adminPort' | 'smppServerPort'>,
): readonly ((runtime: MemberRuntime) => Promise<Role>)[] {
  if (name === 'all')
    return [
      ...[startWorker, startApi],
      ...(adminPort === undefined ? [] : [startAdmin]),
      ...(smppServerPort === undefined ? [] : [startSmppServer]),
    ]
  const one = { api: startApi, worker: startWorker, admin: startAdmin, 'smpp-server': startSmppServer }
  return [one[name]]
}
