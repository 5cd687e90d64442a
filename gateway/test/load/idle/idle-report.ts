/** Compares the figures of the idle run with their targets, and formats the line for programs. */
export interface IdleRun {
  readonly routes: number
  readonly accounts: number
  /** Per cent of one core. */
  readonly workerCpuPercent: readonly number[]
  readonly apiCpuPercent: number
  readonly databaseCpuPercent: number
  readonly brokerCpuPercent: number
  /** Statements per second of all processes, by name. */
  readonly statements: ReadonlyMap<string, number>
  readonly transactionsPerSecond: number
  /** Routes of each worker: at the start, and after one worker was replaced. */
  readonly shares: readonly (readonly number[])[]
  /** Messages per second. */
  readonly singleRate: number
  readonly spreadRate: number
}

export const targets = {
  workerCpuPercent: 5,
  statementsPerSecond: 50,
  spreadRatio: 0.8,
  /** Largest share of the routes of one of two workers; with few routes it varies by chance. */
  share: 0.65,
  minRoutesForShares: 100,
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
  for (const [index, shares] of run.shares.entries()) {
    const when = index === 0 ? 'at the start' : 'after a worker was replaced'
    mustHold(
      run.routes < targets.minRoutesForShares || Math.max(...shares) <= targets.share * run.routes,
      `one of two workers has ${Math.max(...shares)} of ${run.routes} routes ${when}`,
    )
  }
  return findings
}

export function listIdleFigures(run: IdleRun): [string, string][] {
  const percent = (value: number): string => `${value.toFixed(1)} %`
  return [
    ['worker, of a core', run.workerCpuPercent.map(percent).join(', ')],
    ['API', percent(run.apiCpuPercent)],
    ['sessions of PostgreSQL', percent(run.databaseCpuPercent)],
    ['broker', percent(run.brokerCpuPercent)],
    ['statements per second', statementsPerSecond(run).toFixed(1)],
    ['transactions per second, by PostgreSQL', run.transactionsPerSecond.toFixed(1)],
    ['routes of each worker', run.shares.map((shares) => shares.join(' + ')).join(', then ')],
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
    shares: run.shares,
  })
}
