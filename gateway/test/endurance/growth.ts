/**
 * `npm run growth`: a steady load over many days' ends. The clock of PostgreSQL and of every process runs at normal speed
 * while messages are sent, with midnight in the middle; then it is moved to the next evening. Memory, queues, tables and
 * indexes must stay flat, and day partitions be created and dropped in time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { dayOf } from '../../src/records/partitions.ts'
import { readLedger } from '../support/processes/postern-command.ts'
import { repeatAsTold } from '../support/processes/repeat-as-told.ts'
import { startPrivatePostgres, type PrivatePostgres } from '../support/processes/private-postgres.ts'
import { printProgress, withProgress } from '../support/progress.ts'
import { waitFor } from '../support/wait.ts'
import { writeDoc } from '../support/write-doc.ts'
import { openEnduranceInstallation, type EnduranceInstallation } from './endurance-installation.ts'
import {
  openQueueCounter,
  readBackends,
  readDayEnd,
  takeMoment,
  type DayEnd,
  type Moment,
} from './growth-samples.ts'
import { judgeRun, type GrowthRun } from './growth-judge.ts'
import { drawMemory, drawQueues, drawTables, growthPage, renderRun } from './growth-report.ts'
import { maxSkewSeconds, MovedClock } from '../support/processes/moved-clock.ts'
import { readOptions } from './options.ts'
import { readProcess, type Sample } from './process-usage.ts'
import { runWithInstallation } from './run-command.ts'
import { ordinaryRecipient, SteadyLoad, type Sent } from './steady-load.ts'
import { judge } from './verdict.ts'

const options = readOptions({
  name: 'growth',
  about: 'a steady load over many days; nothing may grow',
  figures: {
    minutes: { default: 60, help: 'length of the run' },
    rate: { default: 300, help: 'messages a second' },
    evening: { default: 240, help: 'seconds of load of each day, half of them before midnight' },
    retention: { default: 2, help: 'days that messages are kept' },
  },
  switches: { short: 'two midnights with 10 seconds of load each; no growth is judged' },
  page: 'docs/growth.md',
})
const dayMs = 86_400_000
const loadMs = (options.short ? 10 : options.evening) * 1000
const retentionDays = options.short ? 1 : options.retention
const sampleEveryMs = options.short ? 1_000 : 5_000

const midnight = Math.ceil(Date.now() / dayMs + 0.01) * dayMs
const clock = new MovedClock(midnight - loadMs / 2 - 120_000)
let postgres: PrivatePostgres | undefined
await runWithInstallation('growth', run, async () => {
  postgres = await startPrivatePostgres(clock.postgresEnvironment)
  process.env.POSTERN_DATABASE_URL = postgres.url
  const settings = {
    POSTERN_RETENTION_DAYS: String(retentionDays),
    POSTERN_MAX_CLOCK_SKEW_SECONDS: String(maxSkewSeconds),
    // The carrier answers in a second: only moved time could end a step.
    POSTERN_STEP_TTL_SECONDS: '604800',
  }
  return openEnduranceInstallation(settings, clock.environment)
})
await postgres?.stop()
clock.remove()

async function run(installation: EnduranceInstallation): Promise<string[]> {
  const { base, apis, workers, balancer } = installation
  const gateways = [...apis, ...workers]
  const database = new pg.Pool({ connectionString: base.databaseUrl, max: 2 })
  const queues = openQueueCounter(process.env.POSTERN_BROKER_URLS!.split(',')[0]!, `${base.name}.`)
  const samples = new Map<string, Sample[]>(
    [...gateways.map(({ name }) => name), 'backends'].map((name) => [name, []]),
  )
  const moments: Moment[] = []
  const days: DayEnd[] = []
  const sent: Sent[] = []
  const began = performance.now()
  const minute = (): number => (performance.now() - began) / 60_000

  const sample = async (): Promise<void> => {
    const at = minute()
    for (const { name, pid } of gateways) {
      const usage = pid === undefined ? undefined : readProcess(pid)
      if (usage !== undefined) samples.get(name)!.push({ minute: at, ...usage })
    }
    samples.get('backends')!.push({ minute: at, ...readBackends(postgres!.pid) })
    moments.push(await takeMoment({ database, apis, countQueued: queues.count }, at))
  }

  /** Load with midnight in the middle, until its last message has ended. */
  const evening = async (): Promise<void> => {
    const load = new SteadyLoad({
      // A machine that is busy for a second has some sends repeated; a first queue that stays old is a finding.
      use: (ask) => repeatAsTold(() => balancer.use(ask)),
      perSecond: options.rate,
      recipient: (index) => ordinaryRecipient('010', sent.length + index),
    })
    const endsAt = performance.now() + loadMs
    const watching = (async () => {
      while (performance.now() < endsAt) {
        await pause(sampleEveryMs)
        await sample()
      }
    })()
    try {
      await withProgress(watching, () => {
        const { open, queued } = moments.at(-1) ?? { open: 0, queued: 0 }
        return `${new Date(clock.now()).toISOString()}: ${load.sent.length} sent, ${open} open, ${queued} in queues`
      })
    } finally {
      await load.stop()
    }
    sent.push(...load.sent)
    await waitFor(
      'all messages of the day to end',
      async () => (await database.query('select from in_flight limit 1')).rowCount === 0,
      { timeoutMs: 60_000, everyMs: 250 },
    )
    const { gap } = await readLedger(base.environment)
    days.push(
      await readDayEnd(database, { day: dayOf(new Date(clock.now())), messages: load.sent.length, gap }),
    )
  }

  try {
    for (let n = 0; options.short ? n < 2 : minute() < options.minutes; n++) {
      const from = midnight + n * dayMs - loadMs / 2
      printProgress(`day ${n + 1}: moving the clock to ${new Date(from).toISOString()}`)
      await withProgress(
        clock.moveTo(from, database, gateways),
        () => `the clock is at ${new Date(clock.now()).toISOString()}`,
      )
      await balancer.renewTokens()
      await evening()
    }
    const failures = sent.flatMap(({ failure }) => failure ?? [])
    const wrong = await judge(installation, { sent, failures })
    const { minutes, rate } = options
    const result: GrowthRun = {
      ...{ minutes: options.short ? 0 : minutes, rate, retentionDays, sent: sent.length },
      ...{ samples, moments, days, wrong },
    }
    const findings = judgeRun(result)
    process.stdout.write(`\n${renderRun(result)}\n`)
    if (options.write) {
      await writeDoc('img/growth-memory.svg', drawMemory(result))
      await writeDoc('img/growth-queues.svg', drawQueues(result))
      await writeDoc('img/growth-tables.svg', drawTables(result))
      await writeDoc('growth.md', growthPage(result, findings))
    }
    return findings
  } finally {
    await queues.close()
    await database.end()
  }
}
