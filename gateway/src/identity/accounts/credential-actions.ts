/**
 * Adds and rotates credentials; the caller locks the account. A rotated credential remains valid next to its
 * successor for the overlap, so that clients can switch without a refused request.
 */
import type { Queryable } from '../../platform/database/database.ts'
import type { Account } from './account.ts'
import {
  insertCredential,
  listCredentials,
  replaceCredential,
  revokeCredential,
  type ListedCredential,
  type NewCredential,
} from './credential-queries.ts'

/** Maximum active keys and passwords of an account. */
export const maxCredentials = 50
export const maxOverlapHours = 168
export const defaultOverlapHours = 24

export class CredentialRefused extends Error {
  override readonly name = 'CredentialRefused'
  /** Set if a previous credential still works and may be ended by force. */
  readonly workingUntil: Date | undefined

  constructor(message: string, workingUntil?: Date) {
    super(message)
    this.workingUntil = workingUntil
  }
}

export function isActive(
  { revokedAt, endsAt }: Pick<ListedCredential, 'revokedAt' | 'endsAt'>,
  now: Date,
): boolean {
  return revokedAt === null && (endsAt === null || endsAt.getTime() > now.getTime())
}

export async function addCredential(
  transaction: Queryable,
  account: Account,
  credential: Omit<NewCredential, 'accountId'>,
  now: Date,
): Promise<void> {
  await requireCapacity(transaction, account, now)
  await insertCredential(transaction, { accountId: account.id, ...credential })
}

export interface Rotation {
  readonly overlapHours: number
  /** Revokes predecessors whose overlap is not over. */
  readonly force: boolean
  readonly now: Date
}

/** Returns when the old credential expires, or null if it is revoked immediately. */
export async function rotateCredential(
  transaction: Queryable,
  account: Account,
  current: ListedCredential,
  successor: Omit<NewCredential, 'accountId'>,
  { overlapHours, force, now }: Rotation,
): Promise<Date | null> {
  const active = (await listCredentials(transaction, account.id)).filter((credential) =>
    isActive(credential, now),
  )
  const label = `key ${current.keyId}`
  if (!active.some(({ id }) => id === current.id))
    throw new CredentialRefused(`${label} is expired or revoked; add another one`)
  if (current.replacedBy !== null)
    throw new CredentialRefused(`${label} was replaced by ${current.replacedBy}; rotate that one`)
  for (const { id, endsAt } of active.filter(({ replacedBy }) => replacedBy === current.keyId)) {
    if (!force)
      throw new CredentialRefused(
        `the predecessor of ${label} is valid until ${endsAt!.toISOString()}`,
        endsAt!,
      )
    await revokeCredential(transaction, id)
  }
  await addCredential(transaction, account, successor, now)
  return replaceWith(transaction, current, successor.keyId, overlapHours, now)
}

/** Returns when the replaced credential expires, or null if it is revoked. */
async function replaceWith(
  transaction: Queryable,
  { id, endsAt }: ListedCredential,
  successor: string,
  overlapHours: number,
  now: Date,
): Promise<Date | null> {
  if (overlapHours === 0) {
    await revokeCredential(transaction, id, successor)
    return null
  }
  const overlapEnd = new Date(now.getTime() + overlapHours * 3_600_000)
  await replaceCredential(transaction, id, successor, overlapEnd)
  return endsAt !== null && endsAt < overlapEnd ? endsAt : overlapEnd
}

/**
 * Replaces all active passwords of the account by one successor. Without an overlap all of them are revoked. Returns
 * when the last of them expires, or null if they are revoked.
 */
export async function replacePasswords(
  transaction: Queryable,
  account: Account,
  active: readonly ListedCredential[],
  successor: Omit<NewCredential, 'accountId'>,
  { overlapHours, force, now }: Rotation,
): Promise<Date | null> {
  const inOverlap = active.filter(({ replacedBy }) => replacedBy !== null)
  const [first] = inOverlap
  // If every active password is in overlap, its successor was revoked or has expired. The new password is then the only
  // successor, and those in overlap keep the ends that clients know.
  const isRefused = !force && (overlapHours === 0 || inOverlap.length < active.length)
  if (first !== undefined && isRefused)
    throw new CredentialRefused(
      `the predecessor of the password is valid until ${first.endsAt!.toISOString()}`,
      first.endsAt!,
    )
  if (force) for (const { id } of inOverlap) await revokeCredential(transaction, id)
  await addCredential(transaction, account, successor, now)
  const ends: Date[] = force ? [] : inOverlap.map(({ endsAt }) => endsAt!)
  for (const password of active.filter(({ replacedBy }) => replacedBy === null)) {
    const end = await replaceWith(transaction, password, successor.keyId, overlapHours, now)
    if (end !== null) ends.push(end)
  }
  return ends.length === 0 ? null : new Date(Math.max(...ends.map((end) => end.getTime())))
}

async function requireCapacity(transaction: Queryable, account: Account, now: Date): Promise<void> {
  const active = (await listCredentials(transaction, account.id)).filter((credential) =>
    isActive(credential, now),
  )
  if (active.length >= maxCredentials)
    throw new CredentialRefused(
      `account '${account.clientId}' already has ${active.length} credentials, the maximum; revoke one first`,
    )
}
