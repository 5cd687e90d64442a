import fc from 'fast-check'
import { inTransaction, type Database } from '../../../src/platform/database/database.ts'
import { createMsgKey } from '../../../src/contract/msg-key.ts'
import { acknowledgeBatch, pollFeed } from '../../../src/records/feed/poll.ts'
import { insertReports, reportFeed, type NewReport } from '../../../src/records/reports/queries.ts'
import { emptyHistory, checkHistory, type History } from './poll-history.ts'

/** Small, so that reports need several batches. */
const batchLimit = 2
const pollers = [0, 1] as const

/** Actions of one account in a tick. */
interface Turn {
  /** Number of reports by writer. */
  readonly writes: readonly [number, number]
  readonly polls: readonly [boolean, boolean]
  /** Whether each poller acknowledges its last batch. */
  readonly acknowledges: readonly [boolean, boolean]
  /** Whether an acknowledged batch is acknowledged again, as after a lost response. */
  readonly again: boolean
}
/** Drawn as one number for speed. */
const turn = fc.nat(2 ** 12 - 1)

function readTurn(drawn: number): Turn {
  const bits = (from: number, count: number): number => (drawn >> from) & (2 ** count - 1)
  return {
    writes: [[0, 0, 1, 2][bits(0, 2)]!, [0, 0, 0, 2][bits(2, 2)]!],
    polls: [bits(4, 2) === 0, bits(6, 2) === 0],
    acknowledges: [bits(8, 1) === 1, bits(9, 1) === 1],
    again: bits(10, 2) === 0,
  }
}

/** Events of a tick that all accounts share. */
const tick = fc.record({
  writers: fc.tuple(
    fc.constantFrom('commit', 'commit', 'hold', 'hold', 'fail', 'hold and fail', 'hold and crash'),
    fc.constantFrom('commit', 'commit', 'fail'),
  ),
  /** Whether the process of each poller crashes before it responds, so that no client receives its batches. */
  crashes: fc.tuple(fc.constantFrom(false, false, false, true), fc.constant(false)),
})
type Tick = typeof tick extends fc.Arbitrary<infer T> ? T : never

export const schedules = (accounts: number, ticks: number) =>
  fc.record({
    accounts: fc.array(fc.array(turn, { minLength: ticks, maxLength: ticks }), {
      minLength: accounts,
      maxLength: accounts,
    }),
    ticks: fc.array(tick, { minLength: ticks, maxLength: ticks }),
  })

class SimulatedCrash extends Error {
  override readonly name = 'SimulatedCrash'
}
let lastAccount = 0
let clock = 0

interface Actor {
  readonly id: number
  readonly turns: readonly Turn[]
  readonly history: History
  /** Last batch of each poller. */
  readonly given: string[]
  written: number
}

/**
 * Runs random schedules of writers, pollers, acknowledgements and crashes on PostgreSQL. Each account has a
 * schedule and is checked separately; many accounts run concurrently, so that a writer's statement serves
 * them all as in the gateway. Within a tick everything runs concurrently; a writer that holds commits,
 * rolls back or crashes only after the pollers of the tick.
 */
export async function runSchedules(
  database: Database,
  { accounts, ticks }: { readonly accounts: readonly number[][]; readonly ticks: readonly Tick[] },
): Promise<void> {
  const actors = accounts.map((drawn): Actor => {
    const turns = drawn.map(readTurn)
    return { id: ++lastAccount, turns, history: emptyHistory(), given: ['', ''], written: 0 }
  })
  for (const [n, { writers, crashes }] of ticks.entries()) {
    const released = Promise.withResolvers<undefined>()
    const writing = writers.map((ending, w) => write(database, actors, n, w, ending, released.promise))
    const polling = pollers.map((p) => poll(database, actors, n, p, crashes[p]))
    await Promise.all(polling).finally(() => released.resolve(undefined))
    await Promise.all(writing)
  }
  await collectTheRest(database, actors)
  const stored = await database.query<{ account_id: number; refs: string[] }>(
    `select account_id, array_agg(ref order by seq) as refs from reports where account_id between $1 and $2 group by 1`,
    [actors[0]!.id, actors.at(-1)!.id],
  )
  const refsByAccount = new Map(stored.rows.map((row) => [row.account_id, row.refs]))
  for (const { id, history } of actors) checkHistory(history, refsByAccount.get(id) ?? [])
}

async function write(
  database: Database,
  actors: readonly Actor[],
  n: number,
  writer: number,
  ending: Tick['writers'][number],
  released: Promise<unknown>,
): Promise<void> {
  const reports = actors.flatMap((actor) =>
    Array.from({ length: actor.turns[n]!.writes[writer]! }, () => toReport(actor)),
  )
  if (reports.length === 0) return
  const client = await database.connect()
  await client.query('begin')
  await insertReports(client, reports)
  if (ending.startsWith('hold')) await released
  if (ending.endsWith('crash')) return client.release(new SimulatedCrash())
  await client.query(ending.endsWith('fail') ? 'rollback' : 'commit')
  client.release()
  if (ending.endsWith('fail')) return
  const byId = new Map(actors.map((actor) => [actor.id, actor]))
  for (const { accountId, ref } of reports) byId.get(accountId)!.history.committed.add(ref!)
}

function toReport(actor: Actor): NewReport {
  const at = new Date()
  return {
    msgKey: createMsgKey('00', at),
    step: 1,
    accountId: actor.id,
    serviceType: 'SMS',
    msgType: 'SM',
    sentAt: at,
    reportedAt: at,
    reportCode: '10000',
    reportText: 'Delivered',
    carrier: '10000',
    parts: 1,
    ref: String(++actor.written),
  }
}

/** Acknowledges the last batch, then polls. The other poller does the same, so both race for the same state. */
async function poll(
  database: Database,
  actors: readonly Actor[],
  n: number,
  poller: 0 | 1,
  crashes: boolean,
): Promise<void> {
  for (const actor of actors) {
    const { acknowledges, again } = actor.turns[n]!
    if (!acknowledges[poller]) continue
    await acknowledge(database, actor, actor.given[poller]!)
    if (!again) actor.given[poller] = ''
  }
  await collect(
    database,
    actors.filter(({ turns }) => turns[n]!.polls[poller]),
    poller,
    crashes,
  )
}

async function collect(
  database: Database,
  actors: readonly Actor[],
  poller: 0 | 1,
  crashes = false,
): Promise<void> {
  if (actors.length === 0) return
  const startedAt = clock++
  const seen = await inTransaction(database, async (transaction) => {
    const batches = []
    for (const actor of actors) {
      batches.push({ actor, ...(await pollFeed(transaction, reportFeed, actor.id, { limit: batchLimit })) })
    }
    if (crashes) throw new SimulatedCrash()
    return batches
  }).catch((error: unknown) => {
    if (error instanceof SimulatedCrash) return []
    throw error
  })
  for (const { actor, batchId: reportId, rows } of seen) {
    if (reportId === '') continue
    actor.given[poller] = reportId
    actor.history.handed.push({ reportId, refs: rows.map((row) => row.ref!), startedAt })
  }
}

async function acknowledge(database: Database, actor: Actor, reportId: string): Promise<void> {
  if (reportId === '') return
  if (await acknowledgeBatch(database, reportFeed, actor.id, reportId)) {
    actor.history.acknowledged.push({ reportId, respondedAt: clock++ })
  }
}

/** Polls until all reports are collected. */
async function collectTheRest(database: Database, actors: readonly Actor[]): Promise<void> {
  let left = [...actors]
  while (left.length > 0) {
    const open = await database.query<{ account_id: number }>(
      `select h.account_id from report_sequences h left join report_polls p using (account_id)
        where h.account_id = any($1) and (p.account_id is null or p.acked_seq < h.last_seq)`,
      [left.map(({ id }) => id)],
    )
    const ids = new Set(open.rows.map((row) => row.account_id))
    left = left.filter(({ id }) => ids.has(id))
    await collect(database, left, 0)
    for (const actor of left) await acknowledge(database, actor, actor.given[0]!)
  }
}
