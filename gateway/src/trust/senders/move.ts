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
    return Promise.all(result.rows.map(({ row }) => withReferences(row, accountId, decrypt)))
  },
  async write(transaction: Queryable, accountId: number, read: readonly string[]): Promise<void> {
    const rows: string[] = []
    for (const row of read)
      rows.push(
        await withReferences(row, accountId, (sender, clear) =>
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
    // What is there already stays, as what this cell has recorded itself: the history of a sender is never deleted.
    await transaction.query(
      `insert into sender_changes (sender_id, at, by, from_state, to_state, valid_until, reason,
                                   proof_kind, proof_reference, proof_issued)
       select t.id, c.at, c.by, c.from_state, c.to_state, c.valid_until, c.reason,
              c.proof_kind, c.proof_reference, c.proof_issued
         from unnest($1::text[]) as row, json_populate_record(null::senders, row::json->'sender') as s
         join senders t on t.account_id = $2 and t.kind = s.kind and t.value = s.value,
         json_populate_recordset(null::sender_changes, row::json->'changes') as c
        where not exists (
          select from sender_changes k where k.sender_id = t.id
             and (k.at, k.by, k.from_state, k.to_state, k.valid_until, k.reason)
                 is not distinct from (c.at, c.by, c.from_state, c.to_state, c.valid_until, c.reason))
        order by t.id, c.id`,
      [rows, accountId],
    )
  },
})

interface WithReference {
  readonly proof_reference: string | null
}

interface MovedRow {
  readonly sender: Pick<SenderKey, 'kind' | 'value'> & WithReference
  readonly changes: readonly WithReference[] | null
}

/** The row with other texts for the references of its proofs, that of the sender and those of its history. */
async function withReferences(
  row: string,
  accountId: number,
  change: (sender: SenderKey, reference: string) => Promise<string>,
): Promise<string> {
  const { sender, changes } = JSON.parse(row) as MovedRow
  const key = { accountId, kind: sender.kind, value: sender.value }
  const changed = async <T extends WithReference>(one: T): Promise<T> =>
    one.proof_reference === null ? one : { ...one, proof_reference: await change(key, one.proof_reference) }
  const history: WithReference[] = []
  for (const one of changes ?? []) history.push(await changed(one))
  return JSON.stringify({ sender: await changed(sender), changes: history })
}
