/**
 * `npm run suite -- growth`: runs a steady load over several midnights. The clock of PostgreSQL and of every
 * process runs at normal speed while messages are sent, with midnight in the middle; then it is moved to the
 * next evening. Memory, queues, tables and indexes must not grow, and day partitions must be created and
 * dropped in time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { toKeyDay } from '../../../src/records/partitions.ts'
import { readLedger } from '../../support/processes/postern-command.ts'
import { retryAfterThrottling } from '../../support/processes/retry-after-throttling.ts'
import { startPrivatePostgres, type PrivatePostgres } from '../../support/processes/private-postgres.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import { writeDoc, writeDocSection } from '../../support/measure/write-doc.ts'
import { openEnduranceInstallation, type EnduranceInstallation } from '../endurance-installation.ts'
import {
  openQueueCounter,
  readBackends,
  readDayEnd,
  readMoment,
  type DayEnd,
  type Moment,
} from './growth-samples.ts'
import { checkGrowthRun, type GrowthRun } from './growth-judge.ts'
import { drawTables, growthSection, renderRun } from './growth-report.ts'
import { maxSkewSeconds, MovedClock } from '../../support/processes/moved-clock.ts'
import { readOptions } from '../options.ts'
import { readProcess, type Sample } from '../process-usage.ts'
import { runWithInstallation } from '../run-command.ts'
import { ordinaryRecipient, SteadyLoad, type LoadRequest } from '../steady-load.ts'
import { checkLoadRun } from '../check-load-run.ts'

const options = readOptions({
  name: 'growth',
  about: 'a steady load over many days; nothing may grow',
  figures: {
    minutes: { default: 60, help: 'length of the run' },
    rate: { default: 300, help: 'messages per second' },
    evening: { default: 240, help: 'seconds of load of each day, half of them before midnight' },
    retention: { default: 2, help: 'days that messages are kept' },
  },
  switches: { short: 'two midnights with 10 seconds of load each; growth of processes is not checked' },
  page: 'docs/evidence/endurance.md',
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
    // The carrier responds within a second: only moved time could expire a step.
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
  const sent: LoadRequest[] = []
  const began = performance.now()
  const minute = (): number => (performance.now() - began) / 60_000

  const sample = async (): Promise<void> => {
    const at = minute()
    for (const { name, pid } of gateways) {
      const usage = pid === undefined ? undefined : readProcess(pid)
      if (usage !== undefined) samples.get(name)!.push({ minute: at, ...usage })
    }
    samples.get('backends')!.push({ minute: at, ...readBackends(postgres!.pid) })
    moments.push(await readMoment({ database, apis, countQueued: queues.count }, at))
  }

  /** Sends load with midnight in the middle, and waits until its last message has ended. */
  const evening = async (): Promise<void> => {
    const load = new SteadyLoad({
      // A machine that is busy for a second causes some retries; an intake queue that stays old is a finding.
      use: (call) => retryAfterThrottling(() => balancer.use(call)),
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
      await readDayEnd(database, { day: toKeyDay(new Date(clock.now())), messages: load.sent.length, gap }),
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
    const wrong = await checkLoadRun(installation, { sent, failures })
    const { minutes, rate } = options
    const result: GrowthRun = {
      minutes: options.short ? 0 : minutes,
      rate,
      retentionDays,
      sent: sent.length,
      samples,
      moments,
      days,
      wrong,
    }
    const findings = checkGrowthRun(result)
    process.stdout.write(`\n${renderRun(result)}\n`)
    if (options.write) {
      await writeDoc('pictures/growth-tables.svg', drawTables(result))
      await writeDocSection('evidence/endurance.md', 'growth', growthSection(result, findings))
    }
    return findings
  } finally {
    await queues.close()
    await database.end()
  }
}
