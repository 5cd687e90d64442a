/**
 * `postern account move`: takes an account to another cell without losing or repeating a report. Run it with the settings of
 * the cell that the account leaves. Every step may be repeated, so the command continues where an earlier run stopped.
 *
 * Until `handOver` the old cell owns the account: a run that dies leaves it served there, after 15 s at the latest. From
 * then on the new cell owns it, and the next run opens it there.
 */
import { readMove, readMoving, type MovingAccount } from '../../accounts/moves.ts'
import type { Lane } from '../../channels/lane.ts'
import { lanes } from '../../channels/lane.ts'
import type { Config } from '../../platform/config.ts'
import { openDatabase, type Database } from '../../platform/database.ts'
import { listKeys } from '../../platform/encryption/data-keys.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { inClear } from '../../platform/encryption/field-cipher.ts'
import { createLog } from '../../platform/log.ts'
import { verifiedDatabaseUrl } from '../../platform/tls.ts'
import { withEngines } from '../connect-broker.ts'
import type { ActAudit } from '../../acts/act-audit.ts'
import { withDatabase } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { EngineSetting, SecretSetting } from '../setting-lists.ts'
import { copyReports, prepareTarget } from './move-copy.ts'
import type { Move } from './move-context.ts'
import { forward, type ForwardOptions } from './move-forward.ts'
import { describeMove } from './move-plan.ts'
import {
  countKeys,
  describeKeys,
  requireNoChoices,
  requireNoReplies,
  requireSameRules,
} from './move-rules.ts'
import { isPlainId, switchProxy } from './move-proxy.ts'
import { switchCells } from './move-switch.ts'
import { noSuchAccount } from './view.ts'

export interface MoveOptions {
  /** URL of the other cell's database. */
  readonly to: string
  readonly toCell: string
  /** Reference to the other cell's master key; absent: that of this cell. */
  readonly toMasterKey?: string
  readonly proxy?: readonly string[]
  readonly proxyMap: string
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly wait: boolean
}

/** Tests set it shorter. */
export interface MoveTimes {
  /** Every process of the old cell has loaded the accounts again by then: they do so every second. */
  readonly followMs: number
  /**
   * Nothing was open, queued or reported for this long without a break: the broker has passed on what a frozen worker had
   * taken from the first queues, which it does 8 to 12 s after the last heartbeat, and intake has recorded it. API
   * processes have stored what they confirmed: they do so every two seconds.
   */
  readonly quietMs: number
}

type MoveSetting = 'cell' | 'timeZone' | EngineSetting

const defaultTimes: MoveTimes = { followMs: 3_000, quietMs: 20_000 }
const toTerminal = (text: string): void => void process.stderr.write(`${text}\n`)

export async function moveAccount(
  invocation: Invocation<MoveSetting>,
  clientId: string,
  options: MoveOptions,
  times: MoveTimes = defaultTimes,
  progress: (text: string) => void = toTerminal,
): Promise<Result> {
  const config = invocation.loadSettings()
  if (options.toCell === config.cell)
    throw new UsageError(`--to-cell must name another cell: this one is ${config.cell} (POSTERN_CELL)`)
  if (options.proxy !== undefined && !isPlainId(clientId))
    throw new UsageError(
      `the client id '${clientId}' cannot be given to a proxy; change the map file and leave --proxy out`,
    )
  const work = async (
    source: Database,
    audit: ActAudit,
    waiting: Pick<ForwardOptions, 'isIntakeIdle'>,
  ): Promise<Result> => {
    const target = openDatabase(verifiedDatabaseUrl(options.to, '--to'), createLog('error', 'cli'), {
      connections: 2,
    })
    try {
      await checkTarget(source, target)
      const ciphers = await openCiphers(config, source, target, options.toMasterKey)
      const cells = {
        ...{ source, target, ...ciphers, clientId, progress },
        ...{ fromCell: config.cell, toCell: options.toCell },
      }
      const move = { ...cells, account: await readState(cells) }
      if (options.dryRun === true) {
        audit.unchanged()
        return await describeMove(move)
      }
      if (options.force !== true && move.account.servedBy !== options.toCell) {
        await requireSameRules(move)
        await requireNoChoices(move)
        await requireNoReplies(move)
      }
      const details = { from: config.cell, to: options.toCell }
      return await audit.around(
        { target: clientId, account: clientId, details },
        () => run(move, options, { times, timeZone: config.timeZone, ...waiting }),
        ({ json }) => ({ ...json }),
      )
    } finally {
      await target.end()
    }
  }
  if (options.dryRun === true || !options.wait)
    return withDatabase(invocation, (source, _config, audit) => work(source, audit, {}))
  return withEngines(invocation, ({ database, broker, topology, audit }) => {
    const isIntakeIdle = async (): Promise<boolean> => {
      // What intake cannot record is in `parked` until a worker has stored it.
      const queues = [...lanes.map((lane: Lane) => topology.accepted[lane]), topology.parked]
      const depths = await Promise.all(queues.map((queue) => broker.depth(queue)))
      return depths.every((depth) => depth === 0)
    }
    return work(database, audit, { isIntakeIdle })
  })
}

async function run(
  move: Move,
  options: MoveOptions,
  forwarding: ForwardOptions & { readonly times: MoveTimes },
): Promise<Result> {
  const { clientId, fromCell, toCell, progress } = move
  let id = (await readMoving(move.target, clientId))?.id
  const opened = id !== undefined && (await isOpen(move, id))
  if (!opened || id === undefined) {
    id = await prepareTarget(move)
    progress(`copied the account and its files to cell ${toCell}; copying its reports`)
    await copyReports(move, id)
    await switchCells(move, id, forwarding.times.followMs)
    if (options.proxy === undefined)
      progress('give the output of `postern cell map` of both cells to the proxies now')
  }
  for (const proxy of options.proxy ?? []) {
    await switchProxy(proxy, options.proxyMap, clientId, toCell)
    progress(`the proxy at ${proxy} sends its token requests to cell ${toCell}`)
  }
  const { forwarded, open, ended } = await forward(move, id, {
    ...forwarding,
    quietMs: forwarding.times.quietMs,
  })
  return {
    json: { clientId, from: fromCell, to: toCell, forwarded, open, ended },
    lines: [
      `${clientId} is in cell ${toCell}; ${forwarded} reports of messages that cell ${fromCell} finished were forwarded`,
      ended
        ? `nothing of it is open in cell ${fromCell}: the move has ended`
        : `${open} messages are still open in cell ${fromCell}: run this command again until it says that the move has ended`,
      ...describeKeys(move, await countKeys(move)).map((note) => `note: ${note}`),
    ],
  }
}

/** Whether the new cell serves it already. */
async function isOpen({ target, account, toCell, clientId }: Move, id: number): Promise<boolean> {
  if (account.servedBy !== toCell) return false
  const [there, move] = [await readMoving(target, clientId), await readMove(target, id)]
  return there?.servedBy === null && move !== null && move.openedAt !== null
}

/** The account in the old cell. Throws when it cannot be moved. */
async function readState({
  source,
  target,
  clientId,
  toCell,
  fromCell,
}: Omit<Move, 'account'>): Promise<MovingAccount> {
  const account = await readMoving(source, clientId)
  if (account === null) throw noSuchAccount(clientId)
  if (account.servedBy !== null && account.servedBy !== toCell)
    throw new FailedError(
      `${clientId} is in cell ${account.servedBy}; run this command with the settings of that cell`,
    )
  const earlier = await readMove(source, account.id)
  if (earlier !== null && earlier.endedAt === null && account.servedBy === null)
    throw new FailedError(
      `the move of ${clientId} from cell ${earlier.fromCell} has not ended; end it first with the settings of that cell`,
    )
  const there = await readMoving(target, clientId)
  if (account.servedBy === toCell && there !== null && ![null, fromCell].includes(there.servedBy))
    throw new FailedError(
      `${clientId} has moved on to cell ${there.servedBy}; reports of cell ${fromCell} cannot be forwarded there. Move it back to cell ${toCell}, run this command again, then move it on`,
    )
  if (there !== null && there.servedBy !== fromCell && account.servedBy !== toCell)
    throw new FailedError(
      `the other cell has an account '${clientId}' of its own, and a client id names one account over all cells; give one of the two an account with another client id`,
    )
  return account
}

/** A cell without data keys stores secrets in clear, whatever the other one does. */
async function openCiphers(
  config: Pick<Config, SecretSetting>,
  source: Database,
  target: Database,
  toMasterKey: string | undefined,
): Promise<Pick<Move, 'sourceCipher' | 'targetCipher'>> {
  const sourceCipher = openEncryption(config)
  await sourceCipher.prepare(source)
  if ((await listKeys(target)).length === 0) return { sourceCipher, targetCipher: inClear }
  const targetCipher = openEncryption(toMasterKey === undefined ? config : { masterKey: toMasterKey })
  await targetCipher.prepare(target).catch((error: unknown) => {
    throw new UsageError(
      `--to-master-key must refer to the master key of the other cell: ${(error as Error).message}`,
    )
  })
  return { sourceCipher, targetCipher }
}

async function checkTarget(source: Database, target: Database): Promise<void> {
  const names = async (database: Database): Promise<string> => {
    const result = await database.query<{ names: string }>(
      `select coalesce(string_agg(name, ',' order by name), '') as names from migrations`,
    )
    return result.rows[0]!.names
  }
  const own = await names(source)
  const others = await names(target).catch((error: unknown) => {
    throw new FailedError(
      `the database of the other cell cannot be used (${(error as Error).message}); check --to, and run \`postern migrate\` there`,
    )
  })
  if (own !== others)
    throw new FailedError(
      'the databases of the two cells have different versions; run `postern migrate` in both',
    )
}
