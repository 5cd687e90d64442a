/** A route's runner with a scripted connector, a real attempt writer and a real database. */
import { createAttemptWriter } from '../../../src/pipeline/dispatch/runner/attempt-writer.ts'
import { RouteRunner, type RunnerContext } from '../../../src/pipeline/dispatch/runner/runner.ts'
import type { StepReturn } from '../../../src/pipeline/dispatch/step/states.ts'
import { toResponseJob } from '../../../src/records/attempts/response-job.ts'
import type { AttemptRow, RefusedAttempt } from '../../../src/records/attempts/attempts.ts'
import type { StepKey } from '../../../src/jobs/step-key.ts'
import type { AcceptedJob, ResponseJob, RouteJob } from '../../../src/jobs/jobs.ts'
import { createBounded } from '../../../src/carriers/connectors/bounded-connector.ts'
import type { Connector, ConnectorContext } from '../../../src/carriers/connectors/connector.ts'
import type { ConnectorKind } from '../../../src/carriers/connectors/options/kind.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import type { Policy } from '../../../src/trust/policy.ts'
import { openRules } from '../../../src/carriers/routes/route.ts'
import type { RouteShare } from '../../../src/carriers/routes/shares.ts'
import { outcomes, ScriptedConnector, type Script } from '../carriers/connector.ts'
import { acceptedJobs, recordJobs, routeId, routeJob } from '../fixtures.ts'
import { allowEverything } from '../policy.ts'
import { silentLog, testMetrics } from '../silent-log.ts'

interface Settings {
  readonly window?: number
  readonly partsPerSecond?: number
  readonly takes?: ConnectorKind['submissionUnit']
  readonly repeatable?: boolean
  /** Wraps the connector as `createConnector` does; otherwise its script can report anything. */
  readonly bounded?: boolean
  readonly policy?: Policy
  readonly isEligible?: () => boolean
  /** Options of the route. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly onRecorded?: RunnerContext['onRecorded']
  /** Additional methods of the connector. */
  readonly more?: Pick<Connector, 'capability' | 'carrierIdFor'>
}

export interface RunnerFixture {
  readonly connector: ScriptedConnector
  readonly stopping: AbortController
  readonly ended: { readonly key: StepKey; readonly refused: RefusedAttempt }[]
  readonly endedAgain: StepKey[]
  readonly returned: { readonly job: RouteJob; readonly how: StepReturn }[]
  readonly requeued: RouteJob[]
  readonly handedOver: AttemptRow[]
  /** Jobs for settle. */
  readonly answerJobs: ResponseJob[]
  readonly runner: RouteRunner
}

export const accepting: Script = (submission) => outcomes.accepted(`id-${submission.reference}`)

/** Scripts report only outcomes, so nothing here is called. */
const connectorContext: ConnectorContext = {
  onReceipt: () => Promise.resolve(),
  onLink: () => undefined,
  onEvent: () => undefined,
  openFile: () => Promise.resolve(null),
  isFirstOwner: true,
  log: silentLog,
}

export function openRunnerFixtures(database: Database) {
  const metrics = testMetrics()
  const attemptWriter = createAttemptWriter(database, metrics, silentLog)

  function createRunnerFixture(
    script: Script,
    {
      window = 10,
      partsPerSecond = 0,
      takes = 'parts',
      repeatable = false,
      bounded = false,
      policy = allowEverything,
      isEligible = () => true,
      options = {},
      more = {},
      onRecorded = () => undefined,
    }: Settings = {},
  ): RunnerFixture {
    const connector = Object.assign(new ScriptedConnector(script, window, repeatable), more)
    const stopping = new AbortController()
    const ended: { key: StepKey; refused: RefusedAttempt }[] = []
    const endedAgain: StepKey[] = []
    const returned: { job: RouteJob; how: StepReturn }[] = []
    const requeued: RouteJob[] = []
    const handedOver: AttemptRow[] = []
    const answerJobs: ResponseJob[] = []
    const route: RouteShare = {
      routeId,
      id: routeId,
      channels: ['sms', 'international'],
      protocol: 'scripted',
      options,
      priority: 100,
      partsPerSecond,
      enabled: true,
      ...openRules,
    }
    const runner = new RouteRunner({
      getWeight: () => 1,
      route,
      connector: bounded ? createBounded(() => connector, connectorContext, { capabilityMs: 50 }) : connector,
      submissionUnit: takes,
      attemptWriter,
      policy,
      isEligible,
      metrics,
      onRecorded,
      endStep: (key, refused) => {
        ended.push({ key, refused })
        return Promise.resolve()
      },
      endStepAgain: (key) => {
        endedAgain.push(key)
        return Promise.resolve()
      },
      endStepLater: (key) => void endedAgain.push(key),
      returnStep: (job, how) => {
        returned.push({ job, how })
        return Promise.resolve()
      },
      passOn: (job) => {
        requeued.push(job)
        return Promise.resolve()
      },
      publishOutcomes: (rows, token) => {
        handedOver.push(...rows)
        answerJobs.push(toResponseJob(rows, token))
        return Promise.resolve()
      },
      signal: stopping.signal,
    })
    runner.linked = true
    return { connector, stopping, ended, endedAgain, returned, requeued, handedOver, answerJobs, runner }
  }

  async function releasedMany(count: number, overrides: Partial<AcceptedJob> = {}): Promise<RouteJob[]> {
    const jobs = acceptedJobs(count, overrides)
    await recordJobs(database, jobs)
    return jobs.map((job) => routeJob(job))
  }

  return {
    createRunnerFixture,
    releasedMany,
    /** Metrics of the runners of all fixtures. */
    metrics,
    /** Returns a job that intake recorded and the runner can start. */
    released: async (overrides: Partial<AcceptedJob> = {}): Promise<RouteJob> =>
      (await releasedMany(1, overrides))[0]!,
    /** Returns the outcome of each part. */
    recorded: async (msgKey: string): Promise<string[]> => {
      const found = await database.query<{ outcome: string }>(
        'select outcome from attempts where msg_key = $1 order by part',
        [msgKey],
      )
      return found.rows.map((row) => row.outcome)
    },
    stateOf: async (msgKey: string): Promise<string | undefined> => {
      const found = await database.query<{ state: string }>(
        'select state from in_flight where msg_key = $1',
        [msgKey],
      )
      return found.rows[0]?.state
    },
  }
}
