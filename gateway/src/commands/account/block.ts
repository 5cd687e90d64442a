/**
 * `postern account block`, `unblock` and `stops`. A block takes effect with its commit; the command then shows how workers
 * empty the backlog, and says what became of each message. It may be stopped at any moment: workers go on without it.
 */
import { findAccountId } from '../../accounts/queries.ts'
import { readStops } from '../../accounts/stops.ts'
import { noSuchAccount } from '../../acts/accounts.ts'
import { blockAccount as block, unblockAccount as unblock } from '../../acts/block.ts'
import { defaultTimes, type BlockTimes } from '../../acts/block-progress.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { blockedResult, stopsResult, unblockedResult } from './block-view.ts'

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
    const { stop, counts } = await block(database, audit, {
      ...{ clientId, backlog, notice: options.notice, progress },
      times: options.wait ? times : null,
    })
    return blockedResult({ ...stop, clientId }, counts)
  })
}

export async function unblockAccount(invocation: Invocation, clientId: string): Promise<Result> {
  const resumed = await withDatabase(invocation, (database, _config, audit) =>
    unblock(database, audit, clientId),
  )
  return unblockedResult(clientId, resumed)
}

export async function listStops(invocation: Invocation, clientId: string): Promise<Result> {
  const stops = await withDatabase(invocation, async (database) => {
    const id = await findAccountId(database, clientId)
    if (id === null) throw noSuchAccount(clientId)
    return readStops(database, id)
  })
  return stopsResult(clientId, stops)
}
