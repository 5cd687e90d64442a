/** Replaces keys and passwords of accounts, with an overlap, for commands and the admin API. A secret is returned once. */
import {
  defaultOverlapHours,
  isActive,
  replacePasswords,
  rotateCredential,
  type Rotation,
} from '../accounts/credential-actions.ts'
import { listCredentials, readPasswordHash, type ListedCredential } from '../accounts/credential-queries.ts'
import { createKey, createKeyId } from '../accounts/key.ts'
import { generatePassword, hashPassword } from '../accounts/password.ts'
import { clock } from '../platform/clock.ts'
import type { ActAudit } from './act-audit.ts'
import { changeAccount, requireCredential } from './credentials.ts'
import { OperationError } from './errors.ts'

const dayMs = 86_400_000

export interface RotateOptions {
  readonly overlapHours?: number | undefined
  readonly force?: boolean | undefined
}

export interface RotatedKey {
  readonly keyId: string
  readonly key: string
  /** Until when the previous one works; null: it is refused already. */
  readonly previousUntil: Date | null
}

export function rotateKey(
  audit: ActAudit,
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
        {
          facts: { kind: 'password', account: clientId },
        },
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
        ...{ keyId: key.keyId, kind: 'key', hash: key.hash, name, scopes, networks },
        createdBy: audit.act.by,
        endsAt: successorEnd(current),
      },
      rotationOf(options),
    )
    return [
      { keyId: key.keyId, key: key.text, previousUntil },
      { target: keyId, details: { successor: key.keyId, previousUntil } },
    ]
  })
}

export interface PasswordOptions extends RotateOptions {
  /** 0: never. Absent: as long as the previous password was given. */
  readonly days?: number | undefined
  /** Empty: every network. Absent: those of the previous password. */
  readonly networks?: readonly string[] | undefined
}

export interface NewPassword {
  readonly keyId: string
  readonly password: string
  readonly previousUntil: Date | null
  readonly endsAt: Date | null
}

export function changePassword(
  audit: ActAudit,
  clientId: string,
  options: PasswordOptions,
): Promise<NewPassword> {
  return changeAccount(audit, clientId, async (transaction, account) => {
    const rotation = rotationOf(options)
    const passwords = (await listCredentials(transaction, account.id)).filter(
      (one) => one.kind === 'password' && isActive(one, rotation.now),
    )
    const password = generatePassword()
    const newest = passwords.at(-1)
    const beside =
      newest === undefined || rotation.overlapHours === 0
        ? null
        : await readPasswordHash(transaction, newest.id)
    const hash = await hashPassword(password, beside ?? undefined)
    const successor = {
      ...({ kind: 'password', name: '', scopes: null } as const),
      ...{ keyId: createKeyId(), hash, createdBy: audit.act.by },
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
  { networks }: PasswordOptions,
  before: ListedCredential | undefined,
): readonly string[] | null {
  if (networks === undefined) return before?.networks ?? null
  return networks.length === 0 ? null : networks
}

function readEnd({ days }: PasswordOptions, before: ListedCredential | undefined): Date | null {
  if (days !== undefined) return days === 0 ? null : new Date(clock.now() + days * dayMs)
  // The end of one that was replaced is that of its overlap.
  return before === undefined || before.replacedBy !== null ? null : successorEnd(before)
}

function rotationOf({ overlapHours = defaultOverlapHours, force }: RotateOptions): Rotation {
  return { overlapHours, force: force === true, now: clock.date() }
}

/** As long as the predecessor was given. */
function successorEnd({ createdAt, endsAt }: ListedCredential): Date | null {
  return endsAt === null ? null : new Date(clock.now() + endsAt.getTime() - createdAt.getTime())
}
