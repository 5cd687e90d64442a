/**
 * Copies an account from the cell that it leaves to the cell that it enters. Everything may be repeated: positions are
 * committed together with what they count.
 */
import { importCredentials, readMovedCredentials } from '../../accounts/credential-queries.ts'
import {
  beginMove,
  importAccount,
  lockMove,
  readMove,
  saveCopied,
  type MovingAccount,
} from '../../accounts/moves.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { dayOfKey, ensureDay } from '../../records/partitions.ts'
import { importPositions, importReports, readPositions, readStored } from '../../records/reports/move.ts'
import { clearUsage } from '../../records/usage/move.ts'
import { importWebhooks, readStoredWebhooks } from '../../webhooks/move.ts'
import { copyRows } from './move-rows.ts'
import { movedByAnother, type Move } from './move-context.ts'

const chunk = 1_000

/** The account itself, its files, forms and webhooks; the new cell does not serve it. Its id there. */
export async function prepareTarget(move: Move): Promise<number> {
  const { source, target, fromCell, account } = move
  const webhooks = await readStoredWebhooks(source, account.id, move.sourceCipher)
  const credentials = await readMovedCredentials(source, account.id)
  const id = await inTransaction(target, async (transaction) => {
    const created = await importOnce(transaction, account, fromCell)
    await importCredentials(transaction, created, credentials)
    if (await beginMove(transaction, created, fromCell, account.id)) await clearUsage(transaction, created)
    // Before their deliveries: those of an unknown webhook are deleted.
    await importWebhooks(transaction, created, webhooks, move.targetCipher)
    return created
  })
  await copyRows(move, id, () => Promise.resolve())
  return id
}

/** Reports with their numbers, until none is left. `between` runs before every chunk. */
export async function copyReports(
  { source, target, account, progress }: Move,
  id: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (;;) {
    await between()
    const { copiedSeq } = (await readMove(target, id))!
    const reports = await readStored(source, account.id, copiedSeq, chunk)
    if (reports.length === 0) return
    await ensureDays(
      target,
      reports.map(({ msgKey }) => msgKey),
    )
    await inTransaction(target, async (transaction) => {
      // Another run may have copied them meanwhile, or opened the account: the new cell gives the next numbers then.
      const now = await lockMove(transaction, id)
      if (now === null || now.openedAt !== null) throw movedByAnother()
      if (now.copiedSeq !== copiedSeq) return
      await importReports(transaction, id, reports)
      await saveCopied(transaction, id, reports.at(-1)!.seq)
    })
    progress(`reports copied up to number ${reports.at(-1)!.seq}`)
  }
}

/** While neither cell serves the account: everything that could have changed since it was copied. `between` as above. */
export async function copyFinal(move: Move, id: number, between: () => Promise<void>): Promise<void> {
  const { source, target, fromCell, account } = move
  // Before the reports: a position never points behind the last report copied.
  const positions = await readPositions(source, account.id)
  await copyReports(move, id, between)
  await copyRows(move, id, between)
  const webhooks = await readStoredWebhooks(source, account.id, move.sourceCipher)
  const credentials = await readMovedCredentials(source, account.id)
  await between()
  await inTransaction(target, async (transaction) => {
    const { copiedSeq } = (await lockMove(transaction, id))!
    await importOnce(transaction, account, fromCell)
    await importCredentials(transaction, id, credentials)
    await importPositions(transaction, id, positions, copiedSeq)
    await importWebhooks(transaction, id, webhooks, move.targetCipher)
  })
}

async function importOnce(transaction: Queryable, account: MovingAccount, fromCell: string): Promise<number> {
  const id = await importAccount(transaction, account, fromCell)
  if (id === null) throw movedByAnother()
  return id
}

/** Messages of the old cell may be of days that the new one has no partition for. */
export async function ensureDays(target: Database, msgKeys: readonly string[]): Promise<void> {
  const days = new Map(msgKeys.map((key) => [key.slice(0, 8), dayOfKey(key)]))
  for (const day of days.values()) if (day !== undefined) await ensureDay(target, day)
}
