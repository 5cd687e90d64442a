/** compose.production.yaml: what it promises, the losses it survives, and an upgrade without a failed request. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import { nextMigration } from '../../../gateway/test/support/processes/next-migration.ts'
import { underLoad, untilHealthy } from './fault-steps.ts'
import type { Installation } from './installation.ts'
import { certificate, page } from './start-steps.ts'

const base = 'https://localhost'

export async function startProduction(installation: Installation): Promise<string> {
  await installation.follow(page, 'Production')
  const queues = await untilThreeMembers(installation)
  await untilSynchronous(installation, 'postgres')
  return `${(await installation.services()).length} containers; ${queues} queues with three members; the standby is synchronous`
}

interface Queue {
  readonly name: string
  readonly type: string
  readonly members: readonly string[]
}

async function untilThreeMembers(installation: Installation): Promise<number> {
  let queues: Queue[] = []
  const options = ['--quiet', '--formatter', 'json', 'name', 'type', 'members']
  const isComplete = await waitForCondition(240_000, async () => {
    const listed = await installation.compose(
      'exec',
      '-T',
      'rabbitmq',
      'rabbitmqctl',
      'list_queues',
      ...options,
    )
    queues = (JSON.parse(listed) as Queue[]).filter(({ type }) => type === 'quorum')
    return queues.length > 0 && queues.every(({ members }) => members.length === 3)
  })
  const wrong = queues.find(({ members }) => members.length !== 3)
  if (!isComplete)
    throw new Error(
      wrong === undefined ? 'no quorum queue exists' : `${wrong.name} has ${wrong.members.length} members`,
    )
  return queues.length
}

async function untilSynchronous(installation: Installation, primary: string): Promise<void> {
  const isSynchronous = await waitForCondition(120_000, async () =>
    (await installation.sql('select sync_state from pg_stat_replication', primary)).includes('sync'),
  )
  if (!isSynchronous) throw new Error(`no synchronous standby follows ${primary}`)
}

/** The node and its volume are gone; a new node takes its place. */
export async function loseBroker(installation: Installation): Promise<string> {
  const traffic = await underLoad(
    installation,
    async () => {
      await loseWithVolume(installation, 'rabbitmq-3')
      await pause(20_000)
      await installation.follow(page, 'A broker node is lost')
    },
    base,
    certificate(installation),
  )
  await untilThreeMembers(installation)
  return traffic.settle()
}

export async function losePrimary(installation: Installation): Promise<string> {
  const traffic = await underLoad(
    installation,
    async () => {
      await loseWithVolume(installation, 'postgres')
      await pause(5_000)
      await installation.follow(page, 'The primary is lost')
    },
    base,
    certificate(installation),
  )
  await untilSynchronous(installation, 'postgres-standby')
  return `${await traffic.settle()}; the old primary follows as a synchronous standby`
}

async function loseWithVolume(installation: Installation, service: string): Promise<void> {
  await installation.compose('kill', service)
  await installation.compose('rm', '--force', service)
  await installation.docker('volume', 'rm', `postern_${service}`)
}

/** Upgrades to a release with one more migration, or rolls back from it: the two blocks of the page. */
export async function changeRelease(installation: Installation, direction: 'up' | 'back'): Promise<string> {
  const file = join(installation.directory, 'gateway/migrations', nextMigration.name)
  const primary = installation.setting('DATABASE_HOST') || 'postgres'
  const traffic = await underLoad(
    installation,
    async () => {
      if (direction === 'up') writeFileSync(file, nextMigration.sql)
      else rmSync(file)
      await installation.follow('upgrading.md', 'Compose', direction === 'up' ? 0 : 1)
      await untilHealthy(installation)
    },
    base,
    certificate(installation),
  )
  const summary = await traffic.settle()
  const applied = await installation.sql(
    `select count(*) from migrations where name = '${nextMigration.name}'`,
    primary,
  )
  if (applied[0] !== '1') throw new Error('the new migration was not applied')
  if (traffic.failures.length > 0)
    throw new Error(
      `${traffic.failures.length} requests failed, from ${traffic.firstFailureAt!.toISOString()}: ${[...new Set(traffic.failures)].join('; ')}`,
    )
  return summary
}
