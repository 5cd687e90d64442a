/** Erases the recipients of lines whose results are final. Their results stay until the batch is deleted. */
import { inTransaction, type Database } from '../../platform/database/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { hashRecipient, packLines, unpackLines, type BatchLine } from './lines.ts'
import { dropContent } from './stored-bytes.ts'
import type { BatchPage } from './work.ts'

/** Erases the flow and the lines of batches that ended longer ago than their account has set. */
export async function eraseEndedBatches(database: Database, now: Date): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    `select b.id from batches b join accounts a on a.id = b.account_id
      where b.state = 'ended' and b.content is distinct from '{}'
        and b.ended_at <= $1::timestamptz - a.erase_after_days * interval '1 day'`,
    [now],
  )
  await dropContent(
    database,
    rows.map(({ id }) => id),
  )
}

interface PageToErase extends BatchPage {
  readonly batchId: number
  readonly batchKey: string
  readonly hashes: readonly string[]
  /** Whether undecided lines of the batch get no message. */
  readonly isFinal: boolean
}

export interface ErasedLines {
  readonly erased: number
  /** Lines that keep the recipient, because they still wait for their message. */
  readonly waiting: number
}

/** Erases one recipient in all batches of the account, except in lines that still wait for their message. */
export async function eraseBatchRecipient(
  database: Database,
  index: BlindIndex,
  accountId: number,
  recipient: string,
): Promise<ErasedLines> {
  const hash = String(hashRecipient(index, accountId, recipient))
  const { rows } = await database.query<Pick<PageToErase, 'batchId' | 'part' | 'page'>>(
    `select p.batch_id as "batchId", p.part, p.page from batches b join batch_pages p on p.batch_id = b.id
      where b.account_id = $1 and $2::bigint = any (p.hashes)`,
    [accountId, hash],
  )
  let [erased, waiting] = [0, 0]
  for (const id of rows) {
    const page = await erasePage(database, id, hash)
    erased += page.erased
    waiting += page.waiting
  }
  return { erased, waiting }
}

function erasePage(
  database: Database,
  { batchId, part, page }: Pick<PageToErase, 'batchId' | 'part' | 'page'>,
  hash: string,
): Promise<ErasedLines> {
  return inTransaction(database, async (transaction) => {
    // The lock on the batch keeps workers from processing the page.
    const { rows } = await transaction.query<PageToErase>(
      `select b.batch_key as "batchKey", b.state in ('cancelled', 'ended') as "isFinal", p.lines, p.content,
              p.is_sealed as "isSealed", p.codes, p.msg_keys as "msgKeys", p.hashes::text[] as hashes
         from batches b join batch_pages p on p.batch_id = b.id
        where b.id = $1 and p.part = $2 and p.page = $3 for update`,
      [batchId, part, page],
    )
    const found = rows[0]
    if (found === undefined) return { erased: 0, waiting: 0 }
    const id = { batchKey: found.batchKey, part, page }
    const lines = await unpackLines(id, found)
    if (lines === null) return { erased: 0, waiting: 0 }
    const isErased = (nth: number): boolean =>
      found.hashes[nth] === hash &&
      (found.isFinal || nth < found.msgKeys.length || found.codes[nth] !== undefined)
    const erased = found.hashes.filter((_, nth) => isErased(nth)).length
    const kept = lines.map((line, nth): BatchLine => (isErased(nth) ? withoutRecipient(line) : line))
    const { content, isSealed } = await packLines(id, kept)
    await transaction.query(
      `update batch_pages set content = $4, is_sealed = $5, hashes = $6 where batch_id = $1 and part = $2 and page = $3`,
      [
        batchId,
        part,
        page,
        content,
        isSealed,
        found.hashes.map((stored, nth) => (isErased(nth) ? '0' : stored)),
      ],
    )
    return { erased, waiting: found.hashes.filter((stored) => stored === hash).length - erased }
  })
}

function withoutRecipient({ ref }: BatchLine): BatchLine {
  return { to: '', ...(ref !== undefined && { ref }) }
}
