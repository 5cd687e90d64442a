/** Reads senders and their history; `register.ts` and `changes.ts` write them. */
import { columns as toColumns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { ChangedSenders } from './sender-index.ts'
import type {
  SenderProof,
  ProofKind,
  RegisteredSender,
  SenderKind,
  SenderState,
  StoredSenderState,
} from './sender.ts'

/**
 * Reads every sender that changed with `version` or later. Versions commit in order, so none is missed.
 * `version` itself is read again, because after a failover that lost a change another one can have its
 * number.
 */
export async function readSendersFrom(database: Queryable, version: string): Promise<ChangedSenders> {
  const result = await database.query<ChangedSenders['senders'][number] & { version: string }>({
    name: 'read-changed-senders',
    text: `select account_id as "accountId", kind, value, state, valid_until as "validUntil", created_at as "createdAt",
                  version::text
             from senders where version >= $1 order by senders.version`,
    values: [version],
  })
  return { version: result.rows.at(-1)?.version ?? version, senders: result.rows }
}

/** Reads the registrations of these senders in all accounts, for a process without a `SenderIndex`. */
export async function readSendersByValue(
  database: Queryable,
  values: readonly string[],
): Promise<ChangedSenders> {
  const { rows } = await database.query<ChangedSenders['senders'][number]>(
    `select account_id as "accountId", kind, value, state, valid_until as "validUntil", created_at as "createdAt"
       from senders where value = any ($1)`,
    [values],
  )
  return { version: '0', senders: rows }
}

/** Returns a sender that `by` registered, or added a proof to while it was pending; null if there is none. */
export async function findSenderRegisteredBy(
  database: Queryable,
  keys: readonly SenderIdentity[],
  by: string,
): Promise<SenderIdentity | null> {
  const found = await queryBulk<SenderIdentity>(database, {
    text: `select account_id as "accountId", kind, value
             from unnest($1::int[], $2::text[], $3::text[]) as g (account_id, kind, value) join senders s using (account_id, kind, value)
            where exists (select from sender_changes c
                           where c.sender_id = s.id and c.by = $4 and (c.from_state is null or c.to_state = 'pending'))
            limit 1`,
    columns: toColumns(keys, ({ accountId, kind, value }) => [accountId, kind, value]),
    values: [by],
  })
  return found[0] ?? null
}

/** A sender as an operator sees it. The reference of its proof is encrypted. */
export interface SenderEntry extends RegisteredSender {
  readonly id: string
  readonly clientId: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

interface StoredProof {
  readonly proofKind: ProofKind | null
  readonly proofReference: string | null
  readonly proofIssued: string | null
}
type Row = Omit<SenderEntry, 'proof'> & StoredProof

const columns = `s.id::text, s.account_id as "accountId", a.client_id as "clientId", s.kind, s.value, s.state,
  s.valid_until as "validUntil", s.proof_kind as "proofKind", s.proof_reference as "proofReference",
  s.proof_issued::text as "proofIssued", s.created_at as "createdAt", s.updated_at as "updatedAt"`

export interface SenderFilter {
  readonly clientId?: string | undefined
  readonly kind?: SenderKind | undefined
  readonly state?: SenderState | undefined
  /** Lists senders with a lower id. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Lists senders, newest first. */
export async function listSenders(database: Queryable, filter: SenderFilter): Promise<SenderEntry[]> {
  const values: unknown[] = [filter.limit]
  const placeholder = (value: unknown): string => `$${values.push(value)}`
  const stateNow = `case when s.state = 'active' and s.valid_until <= now() then 'expired' else s.state end`
  // One fixed statement for all combinations could not use the index of an account.
  const conditions = [
    'true',
    ...(filter.clientId === undefined
      ? []
      : [`s.account_id = (select id from accounts where client_id = ${placeholder(filter.clientId)})`]),
    ...(filter.kind === undefined ? [] : [`s.kind = ${placeholder(filter.kind)}`]),
    ...(filter.state === undefined ? [] : [`${stateNow} = ${placeholder(filter.state)}`]),
    ...(filter.before === undefined ? [] : [`s.id < ${placeholder(filter.before)}::bigint`]),
  ]
  const result = await database.query<Row>(
    `select ${columns} from senders s join accounts a on a.id = s.account_id
      where ${conditions.join(' and ')} order by s.id desc limit $1`,
    values,
  )
  return result.rows.map(withProof)
}

export async function countPending(database: Queryable, accountId: number): Promise<number> {
  const result = await database.query<{ count: number }>(
    `select count(*)::int as count from senders where account_id = $1 and state = 'pending'`,
    [accountId],
  )
  return result.rows[0]!.count
}

export interface SenderIdentity {
  readonly accountId: number
  readonly kind: SenderKind
  readonly value: string
}

export function findSender(database: Queryable, key: SenderIdentity): Promise<SenderEntry | null> {
  const { accountId, kind, value } = key
  return findOne(database, 's.account_id = $1 and s.kind = $2 and s.value = $3', [accountId, kind, value])
}

export function findSenderById(
  database: Queryable,
  accountId: number,
  id: string,
): Promise<SenderEntry | null> {
  return findOne(database, 's.id = $1 and s.account_id = $2', [id, accountId])
}

async function findOne(
  database: Queryable,
  condition: string,
  values: readonly unknown[],
): Promise<SenderEntry | null> {
  const { rows } = await database.query<Row>(
    `select ${columns} from senders s join accounts a on a.id = s.account_id where ${condition}`,
    [...values],
  )
  return rows[0] === undefined ? null : withProof(rows[0])
}

export interface SenderChange {
  readonly at: Date
  readonly by: string
  readonly from: StoredSenderState | null
  readonly to: StoredSenderState
  readonly validUntil: Date | null
  readonly reason: string
  /** The proof by which the sender was registered or approved, with its reference encrypted. */
  readonly proof: SenderProof | null
}

/** Returns the history, oldest first. */
export async function readSenderChanges(database: Queryable, id: string): Promise<SenderChange[]> {
  const result = await database.query<Omit<SenderChange, 'proof'> & StoredProof>(
    `select at, by, from_state as "from", to_state as "to", valid_until as "validUntil", reason,
            proof_kind as "proofKind", proof_reference as "proofReference", proof_issued::text as "proofIssued"
       from sender_changes where sender_id = $1 order by id`,
    [id],
  )
  return result.rows.map(withProof)
}

function withProof<T extends StoredProof>({
  proofKind,
  proofReference,
  proofIssued,
  ...row
}: T): Omit<T, keyof StoredProof> & { proof: SenderProof | null } {
  const proof =
    proofKind === null ? null : { kind: proofKind, reference: proofReference ?? '', issued: proofIssued }
  return { ...row, proof }
}
