/**
 * Writers, pollers, acknowledgements and crashes on one account, interleaved in every way, against PostgreSQL. An
 * interleaving is one account's own schedule. Many accounts run side by side, so that a writer's statement serves
 * them all as it does in the gateway; each is judged separately. Within a tick everything runs at once, and a writer
 * that holds commits or crashes only when the tick's pollers are done.
 */
import fc from 'fast-check'
import { inTransaction, type Database } from '../../src/platform/database.ts'
import { createMsgKey } from '../../src/contract/msg-key.ts'
import { acknowledgeBatch, pollFeed } from '../../src/records/feed/poll.ts'
import { insertReports, reportFeed, type NewReport } from '../../src/records/reports/queries.ts'
import { emptyHistory, judge, type History } from './poll-history.ts'

/** Small, so that reports are split into several batches. */
const batchLimit = 2
const pollers = [0, 1] as const

/** One account's part in a tick. */
interface Turn {
  /** Records by each of the two writers. */
  readonly writes: readonly [number, number]
  readonly polls: readonly [boolean, boolean]
  /** Whether each poller acknowledges the batch that it was last given. */
  readonly deletes: readonly [boolean, boolean]
  /** Of a batch that it has deleted before: a client whose first answer was lost. */
  readonly again: boolean
}
/** Drawn as one number: there are very many of them. */
const turn = fc.nat(2 ** 12 - 1)

function readTurn(drawn: number): Turn {
  const bits = (from: number, count: number): number => (drawn >> from) & (2 ** count - 1)
  return {
    writes: [[0, 0, 1, 2][bits(0, 2)]!, [0, 0, 0, 2][bits(2, 2)]!],
    polls: [bits(4, 2) === 0, bits(6, 2) === 0],
    deletes: [bits(8, 1) === 1, bits(9, 1) === 1],
    again: bits(10, 2) === 0,
  }
}

/** What is common to the accounts of a tick. */
const tick = fc.record({
  writers: fc.tuple(
    fc.constantFrom('commit', 'commit', 'hold', 'hold', 'fail', 'hold and fail', 'hold and crash'),
    fc.constantFrom('commit', 'commit', 'fail'),
  ),
  /** A poller whose process crashes before it answers: no client has seen its batches. */
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
  /** The batch that each poller was given last. */
  readonly given: string[]
  records: number
}

export async function runSchedules(
  database: Database,
  { accounts, ticks }: { readonly accounts: readonly number[][]; readonly ticks: readonly Tick[] },
): Promise<void> {
  const actors = accounts.map((drawn): Actor => {
    const turns = drawn.map(readTurn)
    return { id: ++lastAccount, turns, history: emptyHistory(), given: ['', ''], records: 0 }
  })
  for (const [n, { writers, crashes }] of ticks.entries()) {
    const released = Promise.withResolvers<undefined>()
    const writing = writers.map((ending, w) => write(database, actors, n, w, ending, released.promise))
    const polling = pollers.map((p) => poll(database, actors, n, p, crashes[p]))
    await Promise.all(polling).finally(() => released.resolve(undefined))
    await Promise.all(writing)
  }
  await collectTheRest(database, actors)
  const written = await database.query<{ account_id: number; refs: string[] }>(
    `select account_id, array_agg(ref order by seq) as refs from reports where account_id between $1 and $2 group by 1`,
    [actors[0]!.id, actors.at(-1)!.id],
  )
  const refsOf = new Map(written.rows.map((row) => [row.account_id, row.refs]))
  for (const { id, history } of actors) judge(history, refsOf.get(id) ?? [])
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
    ...{ msgKey: createMsgKey('00', at), step: 1, accountId: actor.id, serviceType: 'SMS', msgType: 'SM' },
    ...{ sentAt: at, reportedAt: at, reportCode: '10000', reportText: 'Delivered', carrier: '10000' },
    ...{ parts: 1, ref: String(++actor.records) },
  }
}

/** Deletes what it has, then polls: the other poller does the same, so both race for one state. */
async function poll(
  database: Database,
  actors: readonly Actor[],
  n: number,
  poller: 0 | 1,
  crashes: boolean,
): Promise<void> {
  for (const actor of actors) {
    const { deletes, again } = actor.turns[n]!
    if (!deletes[poller]) continue
    await remove(database, actor, actor.given[poller]!)
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
  const asked = clock++
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
    actor.history.handed.push({ reportId, refs: rows.map((row) => row.ref!), asked })
  }
}

async function remove(database: Database, actor: Actor, reportId: string): Promise<void> {
  if (reportId === '') return
  if (await acknowledgeBatch(database, reportFeed, actor.id, reportId)) {
    actor.history.acknowledged.push({ reportId, answered: clock++ })
  }
}

/** Polls until no account has reports left. */
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
    for (const actor of left) await remove(database, actor, actor.given[0]!)
  }
}
