/**
 * Makes rows of the new cell equal to those of the old one, page by page, and writes only what differs. The first pass runs
 * while the old cell serves the account, so that the one during the pause has little to write: with 300,000 deliveries one
 * pass that wrote them all outlasted every pause.
 */
import { lockMove } from '../../accounts/moves.ts'
import { importStops, readStops } from '../../accounts/stops.ts'
import type { MovedRows } from '../../accounts/moved-rows.ts'
import { lateFiles, listDeleted, movedFiles, withdraw } from '../../files/move.ts'
import { movedForms } from '../../forms/move.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { importProtection, readProtection } from '../../trust/abuse/protection.ts'
import { importAccountTrust, readAccountTrust } from '../../trust/accounts.ts'
import { importAccountAdvertising, readAccountAdvertising } from '../../trust/advertising/accounts.ts'
import { importQuietHours, readQuietHours } from '../../trust/quiet-hours/settings.ts'
import { movedSenders } from '../../trust/senders/move.ts'
import { listWebhookIds, movedDeliveries } from '../../webhooks/move.ts'
import { movedByAnother, type Move } from './move-context.ts'

const page = 5_000

/** Of an account that the new cell does not serve yet. `between` runs before every page and every batch of changes. */
export async function copyRows(move: Move, id: number, between: () => Promise<void>): Promise<void> {
  const { source, target, account, toCell } = move
  const write = (work: (transaction: Queryable) => Promise<void>): Promise<void> =>
    inTransaction(target, async (transaction) => {
      const now = await lockMove(transaction, id)
      if (now === null || now.openedAt !== null) throw movedByAnother()
      await work(transaction)
    })
  for (const webhook of await listWebhookIds(source, account.id))
    await copyChanges(move, movedDeliveries, [webhook, webhook], write, between)
  await copyChanges(move, movedForms, [account.id, id], write, between)
  await copyChanges(move, movedSenders(move), [account.id, id], write, between)
  const trust = await readAccountTrust(source, account.id)
  await write((transaction) => importAccountTrust(transaction, id, trust))
  const protection = await readProtection(source, account.id)
  await write((transaction) => importProtection(transaction, id, protection))
  const stops = await readStops(source, account.id)
  await write((transaction) => importStops(transaction, id, stops))
  const advertising = await readAccountAdvertising(source, account.id)
  const hours = await readQuietHours(source, { accountId: account.id })
  await write((transaction) => importAccountAdvertising(transaction, id, advertising))
  await write((transaction) => importQuietHours(transaction, id, hours))
  await copyChanges(move, movedFiles(toCell), [account.id, id], write, between)
  await passDeletions({ database: source, id: account.id }, toCell, (keys) =>
    write(async (transaction) => {
      await withdraw(transaction, id, keys)
    }),
  )
}

/**
 * Of an account that the new cell serves: an upload that a process of the old cell finished after the switch is copied, and
 * what the account deleted in the new cell is deleted in the old one, which has the bytes.
 */
export async function exchangeFiles(move: Move, id: number): Promise<void> {
  const { source, target, account, fromCell } = move
  await copyChanges(
    move,
    lateFiles(fromCell),
    [account.id, id],
    (work) => inTransaction(target, work),
    () => Promise.resolve(),
  )
  await passDeletions({ database: target, id }, fromCell, (keys) => withdraw(source, account.id, keys))
}

/** Files that `cell` stores and that were deleted in the other one. */
async function passDeletions(
  from: { readonly database: Database; readonly id: number },
  cell: string,
  apply: (keys: readonly string[]) => Promise<unknown>,
): Promise<void> {
  for (let after = ''; ;) {
    const deleted = await listDeleted(from.database, from.id, { cell, after, limit: page })
    if (deleted.length === 0) return
    await apply(deleted)
    after = deleted.at(-1)!
  }
}

async function copyChanges<Owner>(
  { source, target }: { readonly source: Database; readonly target: Database },
  rows: MovedRows<Owner>,
  [from, to]: readonly [Owner, Owner],
  write: (work: (transaction: Queryable) => Promise<void>) => Promise<void>,
  between: () => Promise<void>,
): Promise<void> {
  for (let after = ''; ;) {
    await between()
    const listed = await rows.list(source, from, { after, upTo: null, limit: page })
    const upTo = listed.length < page ? null : listed.at(-1)!.key
    const there = new Map(
      (await rows.list(target, to, { after, upTo, limit: null })).map(({ key, version }) => [key, version]),
    )
    const changed = listed.filter(({ key, version }) => there.get(key) !== version).map(({ key }) => key)
    for (let n = 0; n < changed.length; n += rows.batch) {
      await between()
      const read = await rows.read(source, from, changed.slice(n, n + rows.batch))
      await write((transaction) => rows.write(transaction, to, read))
    }
    for (const { key } of listed) there.delete(key)
    const gone = [...there.keys()]
    if (gone.length > 0) await write(async (transaction) => rows.remove?.(transaction, to, gone))
    if (upTo === null) return
    after = upTo
  }
}
