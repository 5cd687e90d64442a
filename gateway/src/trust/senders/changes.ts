/**
 * Registers senders and changes their state: a row of sender_changes per change, in the same transaction. SQL of senders
 * and sender_changes, their only writer. Called by `postern sender`.
 */
import { columns, queryBulk } from '../../platform/bulk.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database.ts'
import type { Act } from '../../audit/act.ts'
import { inClear, type FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { raiseVersion } from '../versions.ts'
import { encryptReference } from './encrypted-proofs.ts'
import { checkBlocked, checkProof, checkValue } from './registration.ts'
import type { Proof, StoredState } from './sender.ts'
import type { SenderKey } from './queries.ts'

export interface Registration extends SenderKey {
  readonly state: Extract<StoredState, 'pending' | 'active'>
  readonly proof: Proof | null
  readonly validUntil: Date | null
}

/**
 * Throws a plain Error that says what is wrong with the registration. `today`: YYYY-MM-DD. `allowed`: kinds of numbers that
 * the installation allows (POSTERN_SENDER_KINDS).
 */
export function checkRegistration(
  registration: Omit<Registration, 'accountId'>,
  today: string,
  allowed: readonly string[] = [],
): void {
  const { kind, value, state, proof } = registration
  checkValue(kind, value, allowed)
  if (state === 'active') checkProof(kind, value, proof, today)
}

/**
 * Registers many at once. A sender that is registered already keeps its state unless the new one is active, and one that is
 * blocked or was rejected keeps it always; a pending one takes a new proof. An import that is repeated changes nothing.
 * Returns how many were new or changed.
 */
export function registerSenders(
  database: Transactional,
  registrations: readonly Registration[],
  { by, reason }: Act,
  cipher: FieldCipher = inClear,
): Promise<number> {
  return inTransaction(database, async (transaction) => {
    // Writers follow one another from here on.
    const version = await raiseVersion(transaction, 'senders')
    const references = await encryptReferences(transaction, cipher, registrations)
    const changed = await queryBulk<{ id: string }>(transaction, {
      text: `
        with given as (
          select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::date[])
            as g (account_id, kind, value, state, valid_until, proof_kind, proof_reference, proof_issued)
        ), before as (
          select s.account_id, s.kind, s.value, s.state from senders s join given g using (account_id, kind, value)
        ), written as (
          insert into senders as s (account_id, kind, value, state, valid_until, proof_kind, proof_reference, proof_issued, version)
          select g.*, $9::bigint from given g
          on conflict (account_id, kind, value) do update
             set state = excluded.state, valid_until = excluded.valid_until, version = excluded.version, updated_at = now(),
                 proof_kind = case when excluded.proof_kind is null then s.proof_kind else excluded.proof_kind end,
                 proof_reference = case when excluded.proof_kind is null then s.proof_reference else excluded.proof_reference end,
                 proof_issued = case when excluded.proof_kind is null then s.proof_issued else excluded.proof_issued end
           where s.state in ('pending', 'active') and (excluded.state = 'active' or s.state = 'pending')
             and ((excluded.state = 'active' and (s.state, s.valid_until) is distinct from (excluded.state, excluded.valid_until))
                  or (excluded.proof_kind is not null and (s.proof_kind, s.proof_reference, s.proof_issued)
                        is distinct from (excluded.proof_kind, excluded.proof_reference, excluded.proof_issued)))
          returning *
        )
        insert into sender_changes (sender_id, by, from_state, to_state, valid_until, reason)
        select w.id, $10, b.state, w.state, w.valid_until, $11
          from written w left join before b using (account_id, kind, value)
        returning sender_id::text as id`,
      columns: columns(registrations, ({ accountId, kind, value, state, validUntil, proof }, n) => [
        ...[accountId, kind, value, state, validUntil],
        ...[proof?.kind ?? null, references[n], proof?.issued ?? null],
      ]),
      values: [version, by, reason],
    })
    return changed.length
  })
}

/** A reference that is stored already keeps its text, so that an import that is repeated changes nothing. */
async function encryptReferences(
  transaction: Queryable,
  cipher: FieldCipher,
  registrations: readonly Registration[],
): Promise<(string | null)[]> {
  const kept = await queryBulk<{ n: number; stored: string }>(transaction, {
    text: `select g.n, s.proof_reference as stored
             from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as g (n, account_id, kind, value)
             join senders s using (account_id, kind, value) where s.proof_reference is not null`,
    columns: columns(registrations, ({ accountId, kind, value }, n) => [n, accountId, kind, value]),
  })
  const stored = new Map(kept.map((row) => [row.n, row.stored]))
  const references: (string | null)[] = []
  for (const [n, registration] of registrations.entries()) {
    const { proof } = registration
    references.push(
      proof && (await encryptReference(transaction, cipher, registration, proof.reference, stored.get(n))),
    )
  }
  return references
}

/** How many of them are blocked or rejected, which a registration does not change. */
export async function countRefused(
  database: Queryable,
  registrations: readonly Registration[],
): Promise<{ readonly blocked: number; readonly rejected: number }> {
  const found = await queryBulk<{ state: StoredState }>(database, {
    text: `
      select s.state from unnest($1::int[], $2::text[], $3::text[]) as g (account_id, kind, value)
        join senders s using (account_id, kind, value) where s.state in ('blocked', 'rejected')`,
    columns: columns(registrations, ({ accountId, kind, value }) => [accountId, kind, value]),
    values: [],
  })
  const count = (state: StoredState): number => found.filter((one) => one.state === state).length
  return { blocked: count('blocked'), rejected: count('rejected') }
}

export interface StateChange {
  readonly to: StoredState
  readonly proof?: Proof | undefined
  /** Null: without end. Absent: as it was. */
  readonly validUntil?: Date | null | undefined
  /** YYYY-MM-DD, for the age of a certificate. */
  readonly today: string
  readonly act: Act
}

/**
 * Null when it is not registered, except for a block, which needs no registration. Throws a plain Error when the change is
 * not allowed.
 */
export function changeSender(
  database: Transactional,
  key: SenderKey,
  change: StateChange,
  cipher: FieldCipher = inClear,
): Promise<{ readonly from: StoredState | null } | null> {
  return inTransaction(database, async (transaction) => {
    const version = await raiseVersion(transaction, 'senders')
    const before = await lockSender(transaction, key)
    if (before === null) return change.to === 'blocked' ? block(transaction, key, version, change.act) : null
    const proof = change.proof ?? before.proof
    if (change.to === 'active') checkProof(key.kind, key.value, proof, change.today)
    const validUntil = change.validUntil === undefined ? before.validUntil : change.validUntil
    const reference =
      change.proof === undefined
        ? before.proof?.reference
        : await encryptReference(transaction, cipher, key, change.proof.reference)
    await transaction.query(
      `with written as (
         update senders set state = $2, valid_until = $3, proof_kind = $4, proof_reference = $5, proof_issued = $6,
                            version = $7, updated_at = now() where id = $1
       )
       insert into sender_changes (sender_id, by, from_state, to_state, valid_until, reason) values ($1, $8, $9, $2, $3, $10)`,
      [
        ...[before.id, change.to, validUntil, proof?.kind, reference, proof?.issued, version],
        ...[change.act.by, before.state, change.act.reason],
      ],
    )
    return { from: before.state }
  })
}

/** A sender that is not registered. */
async function block(
  transaction: Queryable,
  { accountId, kind, value }: SenderKey,
  version: string,
  { by, reason }: Act,
): Promise<{ readonly from: null }> {
  checkBlocked(kind, value)
  await transaction.query(
    `with written as (
       insert into senders (account_id, kind, value, state, version) values ($1, $2, $3, 'blocked', $4) returning id
     )
     insert into sender_changes (sender_id, by, to_state, reason) select id, $5, 'blocked', $6 from written`,
    [accountId, kind, value, version, by, reason],
  )
  return { from: null }
}

interface Locked {
  readonly id: string
  readonly state: StoredState
  readonly validUntil: Date | null
  /** Its reference as it is stored. */
  readonly proof: Proof | null
}

async function lockSender(transaction: Queryable, key: SenderKey): Promise<Locked | null> {
  const result = await transaction.query<Locked>(
    `select id::text, state, valid_until as "validUntil",
            case when proof_kind is not null then
              json_build_object('kind', proof_kind, 'reference', proof_reference, 'issued', proof_issued::text) end as proof
       from senders where account_id = $1 and kind = $2 and value = $3 for update`,
    [key.accountId, key.kind, key.value],
  )
  return result.rows[0] ?? null
}
