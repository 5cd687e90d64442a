/** Faults under load, with compose.yaml and with compose.production.yaml. */
import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { print } from '../../engines/print.ts'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import type { Installation, Service } from './installation.ts'
import { api, page } from './start-steps.ts'
import { lostWithWorker, Traffic } from './traffic.ts'

const afterFaultMs = 5_000

/**
 * Runs `fault` under load, waits until the services are healthy, and returns the traffic, which still runs; the caller must
 * `settle` it.
 */
export async function underLoad(
  installation: Installation,
  fault: () => Promise<unknown>,
  base = api,
  ca?: string,
): Promise<Traffic> {
  const traffic = new Traffic(base, installation.key, ca)
  try {
    await pause(2_000)
    await fault()
    await untilHealthy(installation)
    await pause(afterFaultMs)
  } catch (error) {
    traffic.abandon()
    throw error
  }
  return traffic
}

/**
 * Waits until every service is healthy, except `migrate`, which exits when it is done, and the simulator, which nothing needs and
 * which Docker does not start again.
 */
export async function untilHealthy(installation: Installation): Promise<void> {
  let wrong: Service[] = []
  const isHealthy = await waitForCondition(300_000, async () => {
    wrong = (await installation.services()).filter(
      ({ service, state, health }) =>
        !['migrate', 'simulator'].includes(service) &&
        (state !== 'running' || !['healthy', ''].includes(health)),
    )
    return wrong.length === 0
  })
  const states = wrong.map(({ name, state, health }) => `${name} ${state} ${health}`)
  if (!isHealthy) throw new Error(`not healthy: ${states.join(', ')}`)
}

/** Kills the process of a container; Docker starts it again. */
export async function kill(installation: Installation, name: string): Promise<string> {
  const traffic = await underLoad(installation, async () => {
    const pid = await installation.docker('inspect', '--format', '{{.State.Pid}}', name)
    process.kill(Number(pid), 'SIGKILL')
    await pause(1_000)
  })
  return traffic.settle(lostWithWorker)
}

export async function stopAndStart(installation: Installation): Promise<string> {
  const traffic = await underLoad(installation, async () => {
    await installation.shell('docker compose stop')
    await installation.shell('docker compose up -d --wait')
  })
  return traffic.settle()
}

/** Kills every container at the same time, as when the machine loses power. */
export async function killAll(installation: Installation): Promise<string> {
  const traffic = await underLoad(installation, async () => {
    await installation.compose('kill')
    await installation.shell('docker compose up -d --wait')
  })
  return traffic.settle(lostWithWorker)
}

export async function fillDisk(installation: Installation, volumes: string): Promise<string> {
  const filler = join(volumes, 'filler')
  const traffic = await underLoad(installation, async () => {
    const { bavail, bsize } = statfsSync(volumes)
    execFileSync('fallocate', ['--length', String(bavail * bsize), filler])
    await pause(20_000)
    print('the disk is full; removing the filler')
    rmSync(filler)
    // Only the first block: the second one is for compose.production.yaml.
    await installation.follow(page, 'The disk is full', 0)
  })
  const summary = await traffic.settle()
  return `20 s without space: ${summary}`
}

/** Loses every volume and restores the dump. A message from before the dump must be found. */
export async function backUpAndRestore(installation: Installation): Promise<string> {
  const before = new Traffic(api, installation.key)
  await pause(2_000)
  await before.settle()
  const [known] = await installation.sql('select msg_key from messages limit 1')
  await installation.follow(page, 'Back up')
  await installation.compose('--profile', '*', 'down', '--volumes')
  await installation.follow(page, 'Restore')
  await untilHealthy(installation)
  const headers = { authorization: `Bearer ${installation.key}` }
  const inquiry = await (await fetch(`${api}/v1/report/inquiry/${known}`, { headers })).text()
  if (!inquiry.includes('"10000"')) throw new Error(`the message of the dump is not found: ${inquiry}`)
  const after = new Traffic(api, installation.key)
  await pause(2_000)
  return `the restored database has the message; afterwards ${await after.settle()}`
}
