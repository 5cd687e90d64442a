/**
 * `postern account block`, `unblock` and `stops`. A block takes effect with its commit; the command then shows how workers
 * empty the backlog, and says what became of each message. It may be stopped at any moment: workers go on without it.
 */
import { findAccountId } from '../../accounts/queries.ts'
import { readStops, type AccountStop } from '../../accounts/stops.ts'
import { noSuchAccount } from '../../acts/accounts.ts'
import { blockAccount as block, unblockAccount as unblock } from '../../acts/block.ts'
import { defaultTimes, type BlockTimes, type StopCounts } from '../../acts/block-progress.ts'
import { describeLeft } from '../../acts/served.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

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
    const { stop, account, counts } = await block(database, audit, {
      ...{ clientId, backlog, notice: options.notice, progress },
      times: options.wait ? times : null,
    })
    const result = counts === null ? describeUncounted(clientId, stop) : describe(clientId, stop, counts)
    return { ...result, lines: [...result.lines, ...describeLeft(account)] }
  })
}

function describeUncounted(clientId: string, { backlog, webhooks, reason }: AccountStop): Result {
  const counts = { closed: null, held: null, submitted: null, open: null }
  return {
    json: { clientId, blocked: true, backlog, ...counts, webhooks },
    lines: [
      `${clientId}: blocked (${reason}); its requests are refused, and nothing more of it is submitted`,
      'Its messages could not be counted, because the database did not answer in time: workers go on all the same',
    ],
  }
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
  const resumed = await withDatabase(invocation, (database, _config, audit) =>
    unblock(database, audit, clientId),
  )
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
