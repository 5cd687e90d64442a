/**
 * Copies an account from the cell that it leaves to the cell that it enters. Everything may be repeated: positions are
 * committed together with what they count.
 */
import {
  beginMove,
  importAccount,
  lockMove,
  readMove,
  saveCopied,
  type MovingAccount,
} from '../../accounts/moves.ts'
import { importFiles, readStoredFiles } from '../../files/move.ts'
import { deleteAllForms, importForms, readStoredForms } from '../../forms/move.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { dayOfKey, ensureDay } from '../../records/partitions.ts'
import { importPositions, importReports, readPositions, readStored } from '../../records/reports/move.ts'
import { clearUsage } from '../../records/usage/move.ts'
import {
  importDeliveries,
  importWebhooks,
  readStoredDeliveries,
  readStoredWebhooks,
} from '../../webhooks/move.ts'
import { FailedError } from '../errors.ts'

export interface Move {
  readonly source: Database
  readonly target: Database
  readonly fromCell: string
  readonly toCell: string
  readonly clientId: string
  /** As it is in the old cell. */
  readonly account: MovingAccount
  readonly progress: (text: string) => void
}

const chunk = 1_000

/** The account itself and its files; the new cell does not serve it. Its id there. */
export async function prepareTarget(move: Move): Promise<number> {
  const { target, fromCell, account } = move
  const id = await inTransaction(target, async (transaction) => {
    const created = await importOnce(transaction, account, fromCell)
    if (await beginMove(transaction, created, fromCell, account.id)) await clearUsage(transaction, created)
    return created
  })
  await copyFiles(move, target, id)
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

/** While neither cell serves the account: everything that could have changed since it was copied. */
export async function copyFinal(move: Move, id: number, between: () => Promise<void>): Promise<void> {
  const { source, target, fromCell, account } = move
  // Before the reports: a position never points behind the last report copied.
  const positions = await readPositions(source, account.id)
  await copyReports(move, id, between)
  await between()
  await inTransaction(target, async (transaction) => {
    const { copiedSeq } = (await lockMove(transaction, id))!
    await importOnce(transaction, account, fromCell)
    await importPositions(transaction, id, positions, copiedSeq)
    await importWebhooks(transaction, id, await readStoredWebhooks(source, account.id))
    await copyDeliveries(move, transaction)
    await copyForms(move, transaction, id)
    await copyFiles(move, transaction, id)
  })
}

async function importOnce(transaction: Queryable, account: MovingAccount, fromCell: string): Promise<number> {
  const id = await importAccount(transaction, account, fromCell)
  if (id === null) throw movedByAnother()
  return id
}

export function movedByAnother(): FailedError {
  return new FailedError('another run of this command has moved the account; run it again to forward reports')
}

async function copyDeliveries({ source, account }: Move, transaction: Queryable): Promise<void> {
  let after = { webhookId: '', eventId: '' }
  for (;;) {
    const deliveries = await readStoredDeliveries(source, account.id, after, chunk)
    if (deliveries.length === 0) return
    await importDeliveries(transaction, deliveries)
    after = deliveries.at(-1)!
  }
}

async function copyForms({ source, account }: Move, transaction: Queryable, id: number): Promise<void> {
  await deleteAllForms(transaction, id)
  let after = ''
  for (;;) {
    // A form may have 64 KB.
    const forms = await readStoredForms(source, account.id, after, 100)
    if (forms.length === 0) return
    await importForms(transaction, id, forms)
    after = forms.at(-1)!.id
  }
}

async function copyFiles({ source, account }: Move, target: Queryable, id: number): Promise<void> {
  let after = ''
  for (;;) {
    const files = await readStoredFiles(source, account.id, after, chunk)
    if (files.length === 0) return
    await importFiles(target, id, files)
    after = files.at(-1)!.key
  }
}

/** Messages of the old cell may be of days that the new one has no partition for. */
export async function ensureDays(target: Database, msgKeys: readonly string[]): Promise<void> {
  const days = new Map(msgKeys.map((key) => [key.slice(0, 8), dayOfKey(key)]))
  for (const day of days.values()) if (day !== undefined) await ensureDay(target, day)
}
