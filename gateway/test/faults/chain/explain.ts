import type { Report } from '../../support/processes/account-client.ts'
import { query } from '../../support/processes/scratch-database.ts'
import type { Chain } from './chain-installation.ts'

export interface Kill {
  readonly name: string
  readonly at: number
  /** Start-up time of the new process. */
  readonly readyAfterMs?: number
}

interface AttemptRow {
  /** msgKey at the near installation. */
  readonly key: string
  readonly route: string | null
  readonly outcome: 'accepted' | 'refused' | 'unknown' | null
  readonly code: string | null
  readonly result: string | null
  readonly at: Date | null
  readonly acceptedAt: Date
}

/** Maximum time of a receipt in the sandbox on a busy machine. */
const receiptMs = 10_000
/** Maximum time until the next owner takes over the route and finds the claims of the killed one. */
const takeoverMs = 60_000

export interface UncertainExplanation {
  /** Number of messages by explanation. */
  readonly counts: ReadonlyMap<string, number>
  readonly findings: readonly string[]
}

/** Finds the killed process that explains each uncertain outcome. Outcomes without explanation are findings. */
export async function explainUncertain(
  { near, far }: Pick<Chain, 'near' | 'far'>,
  reports: readonly Report[],
  kills: readonly Kill[],
): Promise<UncertainExplanation> {
  const keys = reports.map(({ msgKey }) => msgKey)
  const columns = `a.route_id as route, a.outcome, a.outcome_code as code, a.result, a.submitted_at as at,
    m.accepted_at as "acceptedAt"`
  const [nearRows, farRows] = await Promise.all([
    query<AttemptRow>(
      near.databaseUrl,
      `select m.msg_key as key, ${columns} from messages m left join attempts a on a.msg_key = m.msg_key
        where m.msg_key = any($1) order by a.submitted_at`,
      [keys],
    ),
    // The ref at the far installation starts with the msgKey at the near one.
    query<AttemptRow>(
      far.databaseUrl,
      `select left(m.ref, 32) as key, ${columns} from messages m left join attempts a on a.msg_key = m.msg_key
        where left(m.ref, 32) = any($1) order by a.submitted_at`,
      [keys],
    ),
  ])
  const nearBy = Map.groupBy(nearRows, ({ key }) => key)
  const farBy = Map.groupBy(farRows, ({ key }) => key)
  const counts = new Map<string, number>()
  const findings: string[] = []
  for (const { msgKey, ref, reportCode } of reports) {
    const [nearAttempts, farAttempts] = [nearBy.get(msgKey) ?? [], farBy.get(msgKey) ?? []]
    const reason = explainOne(nearAttempts, farAttempts, kills)
    if (reason === undefined)
      findings.push(
        `${ref} ended with ${reportCode}, and no kill explains it: near ${describe(nearAttempts)}, far ${describe(farAttempts)}`,
      )
    else counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return { counts, findings }
}

/** Explains an outcome from the last attempt of each installation. Returns undefined if no kill explains it. */
function explainOne(
  near: readonly AttemptRow[],
  far: readonly AttemptRow[],
  kills: readonly Kill[],
): string | undefined {
  const last = far.at(-1)
  if (last === undefined) {
    const sender = killedBefore(kills, 'near', near.at(-1)?.at)
    if (sender !== undefined) return `${sender} was killed before the far installation had it`
    const api = killedBefore(kills, 'far-api', near.at(-1)?.at)
    return api === undefined ? undefined : `${api} was killed with its request, and did not come back in time`
  }
  if (last.outcome === 'accepted' && last.result === null) {
    const owner = kills.find(
      ({ name, at }) => name.startsWith('far-worker') && isWithin(at, last.at!.getTime() - 1_000, receiptMs),
    )
    return owner === undefined
      ? undefined
      : `${owner.name} was killed with its receipt of route ${last.route}`
  }
  if (last.outcome === 'unknown' && last.result === null) {
    const owner = killedBefore(kills, 'far-worker', last.at)
    return owner === undefined
      ? undefined
      : `${owner} was killed after it had claimed it for route ${last.route} (${last.code})`
  }
  // Not submitted there before its deadline.
  if (last.outcome === null) {
    const stopped = kills.find(
      ({ name, at }) =>
        name.startsWith('far') && isWithin(at, last.acceptedAt.getTime() - takeoverMs, 2 * takeoverMs),
    )
    return stopped === undefined
      ? undefined
      : `it waited at the far installation while ${stopped.name} was down`
  }
  // The far installation has an outcome that the near one did not receive.
  return undefined
}

function killedBefore(kills: readonly Kill[], name: string, at: Date | null | undefined): string | undefined {
  if (at === null || at === undefined) return undefined
  return kills.findLast((kill) => kill.name.startsWith(name) && isWithin(at.getTime(), kill.at, takeoverMs))
    ?.name
}

function isWithin(time: number, from: number, forMs: number): boolean {
  return time >= from && time <= from + forMs
}

function describe(attempts: readonly AttemptRow[]): string {
  if (attempts.length === 0) return 'not there'
  return attempts
    .map(({ route, outcome, code, result, at }) =>
      outcome === null
        ? 'not submitted'
        : `${outcome} by ${route} at ${at!.toISOString()}${code === null ? '' : ` (${code})`}, ${result ?? 'no result'}`,
    )
    .join('; ')
}
