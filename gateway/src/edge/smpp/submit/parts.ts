/**
 * SQL of smpp_parts, its only writer: parts of long messages, and the receipts of parts whose message is not
 * accepted.
 */
import type { Queryable } from '../../../platform/database/database.ts'
import { messageCipher } from '../../../platform/encryption/message-cipher.ts'
import { receiptStates } from '../delivery/receipt.ts'
import { insertReceipts } from '../delivery/stored-receipts.ts'
import { partId, formatSubmitRef } from '../delivery/submit-ref.ts'
import type { SubmitRequest } from './submit-request.ts'

/** Errors of receipts for parts whose message never became complete, or was refused. */
export const incompleteError = '998'
export const refusedError = '997'

interface PartRow {
  readonly part: number
  readonly digest: Buffer
  readonly content: string | null
  readonly sealed: Buffer | null
}

export async function findDigest(
  transaction: Queryable,
  msgKey: string,
  part: number,
): Promise<Buffer | undefined> {
  const { rows } = await transaction.query<{ digest: Buffer }>({
    name: 'find-smpp-part',
    text: 'select digest from smpp_parts where msg_key = $1 and part = $2',
    values: [msgKey, part],
  })
  return rows[0]?.digest
}

/** Marks a part that arrived again after its message was accepted. */
export async function markSeenAgain(transaction: Queryable, msgKey: string, part: number): Promise<void> {
  await transaction.query('update smpp_parts set seen_again = true where msg_key = $1 and part = $2', [
    msgKey,
    part,
  ])
}

export async function deletePart(transaction: Queryable, msgKey: string, part: number): Promise<void> {
  await transaction.query('delete from smpp_parts where msg_key = $1 and part = $2', [msgKey, part])
}

export async function insertPart(
  transaction: Queryable,
  msgKey: string,
  part: number,
  digest: Buffer,
  request: SubmitRequest,
): Promise<void> {
  const json = JSON.stringify(request)
  const sealed = messageCipher.sealing ? Buffer.from(await messageCipher.seal(msgKey, json), 'base64') : null
  await transaction.query({
    name: 'insert-smpp-part',
    text: `insert into smpp_parts (msg_key, part, digest, content, sealed, registered) values ($1, $2, $3, $4, $5, $6)`,
    values: [msgKey, part, digest, sealed === null ? json : null, sealed, request.registered],
  })
}

export async function readParts(
  database: Queryable,
  msgKey: string,
  onlySeenAgain: boolean,
): Promise<(PartRow & { readonly request: SubmitRequest })[]> {
  const { rows } = await database.query<PartRow>({
    name: 'read-smpp-parts',
    text: `select part, digest, content, sealed from smpp_parts
            where msg_key = $1 and (seen_again or not $2) order by part`,
    values: [msgKey, onlySeenAgain],
  })
  await messageCipher.loadKeys(rows.map(({ sealed }) => sealed?.toString('base64')))
  return rows.map((row) => {
    const { content, sealed } = row
    const json = sealed === null ? content! : messageCipher.unseal(msgKey, sealed.toString('base64'))
    return { ...row, request: JSON.parse(json) as SubmitRequest }
  })
}

/** Returns all parts in order, or null while parts are missing. */
export async function readComplete(
  database: Queryable,
  msgKey: string,
  parts: number,
): Promise<readonly SubmitRequest[] | null> {
  const storedParts = await readParts(database, msgKey, false)
  return storedParts.length < parts ? null : storedParts.map(({ request }) => request)
}

/** SQL condition: the message of series `s` was accepted, so its report provides the receipts. */
const isRecorded = 'exists (select from messages m where m.msg_key = any (array[s.msg_key]))'

const noForm = { ton: 0, npi: 0, form: 'd' } as const

/**
 * Stores a receipt for each part that requested one for failures, except for `exceptPart` (0 excepts none). Stores
 * none if the message was accepted.
 */
export async function reportParts(
  transaction: Queryable,
  msgKey: string,
  error: string,
  exceptPart = 0,
): Promise<void> {
  const { rows } = await transaction.query<{
    accountId: number
    part: number
    registered: number
    lastAt: Date
  }>(
    `select s.account_id as "accountId", p.part, p.registered, s.last_at as "lastAt"
       from smpp_parts p join smpp_series s using (msg_key)
      where msg_key = $1 and p.part <> $2 and p.registered in (1, 2) and not ${isRecorded} order by p.part`,
    [msgKey, exceptPart],
  )
  const state = error === refusedError ? receiptStates.rejected : receiptStates.undeliverable
  await insertReceipts(
    transaction,
    rows.map(({ accountId, part, registered, lastAt }) => ({
      accountId,
      messageId: partId(msgKey, part),
      // The addresses are deleted with the parts; the client finds its message by the id.
      ref: formatSubmitRef({ registered: [registered], recipient: noForm, sender: noForm, reference: null }),
      state,
      error,
      sentAt: lastAt,
      doneAt: lastAt,
    })),
  )
}
