/**
 * Runs the roles of a process until SIGTERM or SIGINT, then drains them within the configured time. A process
 * that clients connect to first reports that it is not ready and keeps serving for a while, so that load
 * balancers that poll /readyz stop sending requests before it stops listening.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startOps } from '../edge/api/server/ops.ts'
import { startClockMeasurement } from '../platform/database/clock-measurement.ts'
import { hasSeenNoJump } from '../platform/membership/tables.ts'
import { clock, type Clock } from '../platform/time/clock.ts'
import { loadRoleConfig, type Config } from '../platform/settings/config.ts'
import type { Periodic } from '../platform/time/periodic.ts'
import { openRuntime, type MemberRuntime } from './runtime.ts'
import { startAdmin } from './admin.ts'
import { startApi } from './api.ts'
import { checkDatabaseUser } from './check-database-user.ts'
import { prepareSecrets, startMessageKeys } from './prepare-secrets.ts'
import type { Role, RoleName } from './role.ts'
import { startSmppServer } from './smpp-server.ts'
import { startWorker } from './worker.ts'

/**
 * Reports readiness: an API does all its work on the database's time; a worker whose clock may be wrong
 * leaves some of it to others.
 */
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
  // Node.js would print the error with all its fields, which include the data a driver was working on.
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
  const starts = listStarts(name, config)
  const roles: Role[] = []
  let stopping = false
  const periodics: Periodic[] = []
  const readiness = (): Record<string, boolean> => {
    const checks: Record<string, boolean> = {
      started: roles.length === starts.length,
      running: !stopping,
      clock: isClockReady(name, clock),
    }
    for (const role of roles)
      // A check that several roles have must pass for each of them.
      for (const [check, holds] of Object.entries(role.readiness()))
        checks[check] = holds && checks[check] !== false
    return checks
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
        'work in progress did not finish in time; exiting. The broker redelivers unfinished jobs to another process. Increase POSTERN_DRAIN_SECONDS if this repeats',
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

  // Without the database's time no deadline and no msgKey is correct.
  await measurement.measured
  await checkDatabaseUser(runtime, name)
  await prepareSecrets(runtime, { encrypts: name === 'worker' || name === 'all' })
  periodics.push(startMessageKeys(runtime))
  for (const start of starts) roles.push(await start(runtime))
}

/** Returns the start functions in order. */
function listStarts(
  name: RoleName,
  { adminPort, smppServerPort }: Pick<Config, 'adminPort' | 'smppServerPort'>,
): readonly ((runtime: MemberRuntime) => Promise<Role>)[] {
  if (name === 'all')
    return [
      startWorker,
      startApi,
      ...(adminPort === undefined ? [] : [startAdmin]),
      ...(smppServerPort === undefined ? [] : [startSmppServer]),
    ]
  const startByRole = {
    api: startApi,
    worker: startWorker,
    admin: startAdmin,
    'smpp-server': startSmppServer,
  }
  return [startByRole[name]]
}
