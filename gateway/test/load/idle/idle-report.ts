/** Compares the figures of the idle run with their targets, and formats the result for the terminal and as one line of JSON. */

/** All CPU figures are per cent of one core. */
export interface IdleRun {
  readonly routes: number
  readonly accounts: number
  readonly workerCpuPercent: readonly number[]
  readonly apiCpuPercent: number
  readonly databaseCpuPercent: number
  readonly brokerCpuPercent: number
  /** Statements per second of all processes, by name. */
  readonly statements: ReadonlyMap<string, number>
  readonly transactionsPerSecond: number
  /** Routes of each worker: at the start, and after one worker was replaced. */
  readonly routesByWorker: readonly (readonly number[])[]
  /** Messages per second over one route. */
  readonly singleRate: number
  /** Messages per second spread over all routes. */
  readonly spreadRate: number
}

export const targets = {
  workerCpuPercent: 5,
  statementsPerSecond: 40,
  spreadRatio: 0.8,
  /** Largest fraction of all routes that one of two workers may run; with few routes it varies by chance. */
  maxFraction: 0.65,
  minRoutesForFraction: 100,
} as const

export const statementsPerSecond = ({ statements }: IdleRun): number =>
  [...statements.values()].reduce((sum, rate) => sum + rate, 0)

export function checkIdle(run: IdleRun): string[] {
  const findings: string[] = []
  const mustHold = (holds: boolean, what: string): void => {
    if (!holds) findings.push(what)
  }
  run.workerCpuPercent.forEach((percent, index) =>
    mustHold(
      percent < targets.workerCpuPercent,
      `worker ${index + 1} uses ${percent.toFixed(1)} % of a core while idle; target below ${targets.workerCpuPercent} %`,
    ),
  )
  const statements = statementsPerSecond(run)
  mustHold(
    statements < targets.statementsPerSecond,
    `${statements.toFixed(1)} statements per second are sent while idle; target below ${targets.statementsPerSecond}`,
  )
  const ratio = run.spreadRate / run.singleRate
  mustHold(
    ratio >= targets.spreadRatio,
    `traffic over all routes runs at ${ratio.toFixed(2)} of the rate of one route; target ${targets.spreadRatio}`,
  )
  for (const [index, counts] of run.routesByWorker.entries()) {
    const when = index === 0 ? 'at the start' : 'after a worker was replaced'
    mustHold(
      run.routes < targets.minRoutesForFraction || Math.max(...counts) <= targets.maxFraction * run.routes,
      `one of two workers has ${Math.max(...counts)} of ${run.routes} routes ${when}; target at most ${targets.maxFraction * 100} %`,
    )
  }
  return findings
}

export function listIdleFigures(run: IdleRun): [string, string][] {
  const percent = (value: number): string => `${value.toFixed(1)} %`
  return [
    ['CPU of each worker, of one core', run.workerCpuPercent.map(percent).join(', ')],
    ['CPU of the API', percent(run.apiCpuPercent)],
    ['CPU of PostgreSQL sessions', percent(run.databaseCpuPercent)],
    ['CPU of the broker', percent(run.brokerCpuPercent)],
    ['statements per second', statementsPerSecond(run).toFixed(1)],
    ['transactions per second, as counted by PostgreSQL', run.transactionsPerSecond.toFixed(1)],
    ['routes of each worker', run.routesByWorker.map((counts) => counts.join(' + ')).join(', then ')],
    ['messages per second over one route', run.singleRate.toFixed(0)],
    [`messages per second over ${run.routes} routes`, run.spreadRate.toFixed(0)],
  ]
}

export function resultLine(run: IdleRun): string {
  const round = (value: number): number => Math.round(value * 100) / 100
  return JSON.stringify({
    workerCpuPercent: run.workerCpuPercent.map(round),
    apiCpuPercent: round(run.apiCpuPercent),
    databaseCpuPercent: round(run.databaseCpuPercent),
    brokerCpuPercent: round(run.brokerCpuPercent),
    statementsPerSecond: round(statementsPerSecond(run)),
    spreadRatio: round(run.spreadRate / run.singleRate),
    shares: run.routesByWorker,
  })
}
