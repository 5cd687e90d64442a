/**
 * `postern account block`, `unblock` and `stops`. A block takes effect with its commit; the command then shows how workers
 * empty the backlog, and says what became of each message. It may be stopped at any moment: workers go on without it.
 */
import type { StoredAccount } from '../../accounts/account.ts'
import { findAccountId } from '../../accounts/queries.ts'
import { endStop, readStops, saveStopCounts, stopAccount, type AccountStop } from '../../accounts/stops.ts'
import { countAsideOf, resumeWaitingOf } from '../../records/waiting/stopped.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import { countStopped, defaultTimes, rule, type BlockTimes, type StopCounts } from './block-progress.ts'
import { describeLeft, lockServed } from './served.ts'
import { noSuchAccount } from './view.ts'

export interface BlockOptions {
  readonly hold?: true
  readonly notice?: string
  readonly wait: boolean
}

const toTerminal = (text: string): void => void process.stderr.write(`${text}\n`)

export async function blockAccount(
  invocation: Invocation,
  clientId: string,
  options: BlockOptions,
  times: BlockTimes = defaultTimes,
  progress: (text: string) => void = toTerminal,
): Promise<Result> {
  const backlog = options.hold === true ? 'hold' : 'close'
  return withDatabase(invocation, async (database, _config, audit) => {
    const act = audit.actFor('blocked')
    let account: StoredAccount | undefined
    const stop = await audit.change(async (transaction) => {
      account = await lockServed(transaction, clientId, 'served or left')
      const stopped = await stopAccount(transaction, clientId, act, { backlog, notice: options.notice })
      if (stopped === null) throw noSuchAccount(clientId)
      const details = { backlog, notice: options.notice ?? null, webhooks: stopped.webhooks }
      return [stopped, { target: clientId, account: clientId, details }] as const
    })
    const counts = await countStopped(database, stop, options.wait ? times : null, progress)
    await saveStopCounts(database, stop.id, counts)
    const result = describe(clientId, stop, counts)
    return { ...result, lines: [...result.lines, ...describeLeft(account!)] }
  })
}

function describe(clientId: string, { backlog, webhooks, reason }: AccountStop, counts: StopCounts): Result {
  const { submitted, closed, held, open } = counts
  return {
    json: { clientId, blocked: true, backlog, closed, held, submitted, open, webhooks },
    lines: [
      `${clientId}: blocked (${reason}); its requests are refused, and nothing more of it is submitted`,
      ...table([
        ['closed', String(closed), 'ended with the report 90011, which can be polled after an unblock'],
        ['held', String(held), 'wait until `postern account unblock`, or until their deadline'],
        ['submitted', String(submitted), 'were with carriers before; their reports follow as usual'],
        ['webhooks', String(webhooks), 'are paused, and continue where they stopped after an unblock'],
      ]),
      ...(open > 0
        ? [
            `${open} messages are still open: workers go on. If the number stays, check that a worker runs (\`postern worker list\`)`,
          ]
        : []),
    ],
  }
}

export async function unblockAccount(invocation: Invocation, clientId: string): Promise<Result> {
  const resumed = await withDatabase(invocation, async (database, _config, audit) => {
    const id = await findAccountId(database, clientId)
    const held = id === null ? 0 : await countAsideOf(database, id, rule)
    const accountId = await audit.change(async (transaction) => {
      await lockServed(transaction, clientId, 'served or left')
      const ended = await endStop(transaction, clientId, audit.actFor('unblocked'))
      if (ended === null) throw noSuchAccount(clientId)
      return [ended.accountId, { target: clientId, account: clientId, details: { held } }] as const
    })
    // After the commit, so that nobody else's block waits for it. If it is interrupted, the same command goes on.
    return resumeWaitingOf(database, accountId, rule)
  })
  return {
    json: { clientId, blocked: false, resumed },
    lines: [
      `${clientId}: unblocked; ${resumed} held messages are sent, and its webhooks continue. Running processes follow within two seconds`,
    ],
  }
}

export async function listStops(invocation: Invocation, clientId: string): Promise<Result> {
  const stops = await withDatabase(invocation, async (database) => {
    const id = await findAccountId(database, clientId)
    if (id === null) throw noSuchAccount(clientId)
    return readStops(database, id)
  })
  const time = (at: Date | null): string => at?.toISOString().slice(0, 19) ?? '-'
  const number = (count: number | null): string => (count === null ? '-' : String(count))
  const rows = stops.map((stop) => [
    ...[time(stop.at), stop.by, stop.reason, stop.notice ?? '-', stop.backlog],
    ...[number(stop.closed), number(stop.held), number(stop.submitted)],
    ...[time(stop.endedAt), stop.endedBy ?? '-', stop.endedReason ?? '-'],
  ])
  const head = ['since', 'by', 'reason', 'notice', 'backlog', 'closed', 'held', 'submitted']
  return {
    json: { clientId, stops: stops.map(stopJson) },
    lines: table([[...head, 'until', 'by', 'reason'], ...rows]),
  }
}

function stopJson(stop: AccountStop): object {
  const { at, by, reason, notice, backlog, webhooks, submitted, closed, held } = stop
  const { endedAt, endedBy, endedReason } = stop
  return { at, by, reason, notice, backlog, webhooks, submitted, closed, held, endedAt, endedBy, endedReason }
}
