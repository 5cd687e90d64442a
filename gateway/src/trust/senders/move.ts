/** The senders of an account with their history, for `postern account move`. Each cell encrypts proofs with keys of its own. */
import type { KeyRange, KeyVersion } from '../../accounts/moved-rows.ts'
import type { Queryable } from '../../platform/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { raiseVersion } from '../versions.ts'
import { decryptReference, encryptReference } from './encrypted-proofs.ts'
import type { SenderKey } from './queries.ts'

const key = `kind || '/' || value`

export const movedSenders = (ciphers: {
  readonly sourceCipher: FieldCipher
  readonly targetCipher: FieldCipher
}) => ({
  batch: 500,
  async list(database: Queryable, accountId: number, range: KeyRange): Promise<KeyVersion[]> {
    const { after, upTo, limit } = range
    // Every change has a row of the history, with its own time.
    const result = await database.query<KeyVersion>(
      `select ${key} as key, state || extract(epoch from updated_at) as version from senders
        where account_id = $1 and ${key} > $2 and ($3::text is null or ${key} <= $3) order by 1 limit $4`,
      [accountId, after, upTo, limit],
    )
    return result.rows
  },
  async read(database: Queryable, accountId: number, keys: readonly string[]): Promise<string[]> {
    const result = await database.query<{ row: string }>(
      `select json_build_object('sender', s, 'changes',
                (select json_agg(c order by c.id) from sender_changes c where c.sender_id = s.id))::text as row
         from senders s where account_id = $1 and ${key} = any($2)`,
      [accountId, keys],
    )
    const decrypt = (sender: SenderKey, stored: string): Promise<string> =>
      decryptReference(database, ciphers.sourceCipher, sender, stored)
    return Promise.all(result.rows.map(({ row }) => withReference(row, accountId, decrypt)))
  },
  async write(transaction: Queryable, accountId: number, read: readonly string[]): Promise<void> {
    const rows: string[] = []
    for (const row of read)
      rows.push(
        await withReference(row, accountId, (sender, clear) =>
          encryptReference(transaction, ciphers.targetCipher, sender, clear),
        ),
      )
    const version = await raiseVersion(transaction, 'senders')
    await transaction.query(
      `insert into senders (account_id, kind, value, state, valid_until, proof_kind, proof_reference, proof_issued,
                            version, created_at, updated_at)
       select $2, s.kind, s.value, s.state, s.valid_until, s.proof_kind, s.proof_reference, s.proof_issued, $3,
              s.created_at, s.updated_at
         from unnest($1::text[]) as row, json_populate_record(null::senders, row::json->'sender') as s
       on conflict (account_id, kind, value) do update
          set state = excluded.state, valid_until = excluded.valid_until, proof_kind = excluded.proof_kind,
              proof_reference = excluded.proof_reference, proof_issued = excluded.proof_issued,
              version = excluded.version, updated_at = excluded.updated_at`,
      [rows, accountId, version],
    )
    await transaction.query(
      `delete from sender_changes where sender_id in (select id from senders where account_id = $1 and version = $2)`,
      [accountId, version],
    )
    await transaction.query(
      `insert into sender_changes (sender_id, at, by, from_state, to_state, valid_until, reason)
       select t.id, c.at, c.by, c.from_state, c.to_state, c.valid_until, c.reason
         from unnest($1::text[]) as row, json_populate_record(null::senders, row::json->'sender') as s
         join senders t on t.account_id = $2 and t.kind = s.kind and t.value = s.value,
         json_populate_recordset(null::sender_changes, row::json->'changes') as c
        order by t.id, c.id`,
      [rows, accountId],
    )
  },
})

interface MovedRow {
  readonly sender: Pick<SenderKey, 'kind' | 'value'> & { readonly proof_reference: string | null }
}

/** The row with another text for the reference of its proof, if it has one. */
async function withReference(
  row: string,
  accountId: number,
  change: (sender: SenderKey, reference: string) => Promise<string>,
): Promise<string> {
  const moved = JSON.parse(row) as MovedRow
  const { kind, value, proof_reference: reference } = moved.sender
  if (reference === null) return row
  const changed = await change({ accountId, kind, value }, reference)
  return JSON.stringify({ ...moved, sender: { ...moved.sender, proof_reference: changed } })
}
