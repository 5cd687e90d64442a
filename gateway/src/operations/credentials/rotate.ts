/** Replaces keys and passwords of accounts, with an overlap. A secret is returned once. */
import {
  defaultOverlapHours,
  isActive,
  replacePasswords,
  rotateCredential,
  type Rotation,
} from '../../identity/accounts/credential-actions.ts'
import {
  listCredentials,
  readPasswordHash,
  type ListedCredential,
} from '../../identity/accounts/credential-queries.ts'
import { createKey, createKeyId } from '../../identity/accounts/key.ts'
import { generatePassword, hashPassword } from '../../identity/accounts/password.ts'
import { clock } from '../../platform/time/clock.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { changeAccount, requireCredential } from './credentials.ts'
import { OperationError } from '../errors.ts'

const dayMs = 86_400_000

export interface RotateOptions {
  readonly overlapHours?: number | undefined
  readonly force?: boolean | undefined
}

export interface RotatedKey {
  readonly keyId: string
  readonly key: string
  /** When the previous key expires; null if it is already rejected. */
  readonly previousUntil: Date | null
}

export function rotateKey(
  audit: AuditRecorder,
  cell: string,
  clientId: string,
  keyId: string,
  options: RotateOptions,
): Promise<RotatedKey> {
  return changeAccount(audit, clientId, async (transaction, account) => {
    const current = await requireCredential(transaction, account, keyId)
    if (current.kind === 'password')
      throw new OperationError(
        'refused',
        `${keyId} is a password; change the password of the account instead`,
        { facts: { kind: 'password', account: clientId } },
      )
    if (current.kind === 'smpp')
      throw new OperationError(
        'refused',
        `${keyId} is a password for SMPP; add another one, then revoke this one`,
        { facts: { kind: 'smpp', account: clientId } },
      )
    const key = createKey(cell)
    const { name, scopes, networks } = current
    const previousUntil = await rotateCredential(
      transaction,
      account,
      current,
      {
        keyId: key.keyId,
        kind: 'key',
        hash: key.hash,
        name,
        scopes,
        networks,
        createdBy: audit.act.by,
        endsAt: successorEnd(current),
      },
      toRotation(options),
    )
    return [
      { keyId: key.keyId, key: key.text, previousUntil },
      { target: keyId, details: { successor: key.keyId, previousUntil } },
    ]
  })
}

export interface ChangePasswordOptions extends RotateOptions {
  /** Days until expiry; 0 means never. Defaults to the lifetime of the previous password. */
  readonly days?: number | undefined
  /** An empty list allows every network. Defaults to the networks of the previous password. */
  readonly networks?: readonly string[] | undefined
}

export interface NewPassword {
  readonly keyId: string
  readonly password: string
  readonly previousUntil: Date | null
  readonly endsAt: Date | null
}

export function changePassword(
  audit: AuditRecorder,
  clientId: string,
  options: ChangePasswordOptions,
): Promise<NewPassword> {
  return changeAccount(audit, clientId, async (transaction, account) => {
    const rotation = toRotation(options)
    const passwords = (await listCredentials(transaction, account.id)).filter(
      (credential) => credential.kind === 'password' && isActive(credential, rotation.now),
    )
    const password = generatePassword()
    const newest = passwords.at(-1)
    // During an overlap both passwords have the same salt, so that a check costs one computation.
    const existingHash =
      newest === undefined || rotation.overlapHours === 0
        ? null
        : await readPasswordHash(transaction, newest.id)
    const hash = await hashPassword(password, existingHash ?? undefined)
    const successor = {
      ...({ kind: 'password', name: '', scopes: null } as const),
      keyId: createKeyId(),
      hash,
      createdBy: audit.act.by,
      networks: readNetworks(options, newest),
      endsAt: readEnd(options, newest),
    }
    const previousUntil = await replacePasswords(transaction, account, passwords, successor, rotation)
    const { keyId, networks, endsAt } = successor
    return [
      { keyId, password, previousUntil, endsAt },
      { target: keyId, details: { previousUntil, networks, endsAt } },
    ]
  })
}

function readNetworks(
  { networks }: ChangePasswordOptions,
  before: ListedCredential | undefined,
): readonly string[] | null {
  if (networks === undefined) return before?.networks ?? null
  return networks.length === 0 ? null : networks
}

function readEnd({ days }: ChangePasswordOptions, before: ListedCredential | undefined): Date | null {
  if (days !== undefined) return days === 0 ? null : new Date(clock.now() + days * dayMs)
  // The expiry of a replaced password is that of its overlap, so the new password gets none.
  return before === undefined || before.replacedBy !== null ? null : successorEnd(before)
}

function toRotation({ overlapHours = defaultOverlapHours, force }: RotateOptions): Rotation {
  return { overlapHours, force: force === true, now: clock.date() }
}

/** Returns the expiry that gives the successor the lifetime of its predecessor. */
function successorEnd({ createdAt, endsAt }: ListedCredential): Date | null {
  return endsAt === null ? null : new Date(clock.now() + endsAt.getTime() - createdAt.getTime())
}
