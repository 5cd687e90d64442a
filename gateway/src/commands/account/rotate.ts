/** `postern account key rotate` and `postern account password`: a new secret, and an overlap with the previous one. */
import {
  defaultOverlapHours,
  isActive,
  replacePasswords,
  rotateCredential,
  type Rotation,
} from '../../accounts/credential-actions.ts'
import {
  listCredentials,
  readPasswordHash,
  type ListedCredential,
} from '../../accounts/credential-queries.ts'
import { createKey, createKeyId } from '../../accounts/key.ts'
import { generatePassword, hashPassword } from '../../accounts/password.ts'
import { syncPasswordHash } from '../../accounts/queries.ts'
import { clock } from '../../platform/clock.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { requireCredential } from '../../acts/credentials.ts'
import { changeAccount } from './credential-context.ts'

const dayMs = 86_400_000

export interface RotateOptions {
  readonly overlapHours?: number
  readonly force?: true
}

export function rotateKey(
  invocation: Invocation<'cell'>,
  clientId: string,
  keyId: string,
  options: RotateOptions,
): Promise<Result> {
  return changeAccount(invocation, clientId, async ({ transaction, account, config, act }) => {
    const current = await requireCredential(transaction, account, keyId)
    if (current.kind === 'password')
      throw new FailedError(`${keyId} is a password; change it with \`postern account password ${clientId}\``)
    if (current.kind === 'smpp')
      throw new FailedError(
        `${keyId} is a password for SMPP; add another with \`postern account key add ${clientId} --smpp\`, then revoke it`,
      )
    const key = createKey(config.cell)
    const { name, scopes, networks } = current
    const previousUntil = await rotateCredential(
      transaction,
      account,
      current,
      {
        ...{ keyId: key.keyId, kind: 'key', hash: key.hash, name, scopes, networks },
        createdBy: act.by,
        endsAt: successorEnd(current),
      },
      rotationOf(options),
    )
    const result = {
      json: { clientId, keyId: key.keyId, key: key.text, previousUntil },
      lines: [
        `key id  ${key.keyId}`,
        `key     ${key.text}`,
        'The key is not stored and cannot be shown again.',
        describePrevious('key', previousUntil),
      ],
    }
    return [result, { target: keyId, details: { successor: key.keyId, previousUntil } }]
  })
}

export interface PasswordOptions extends RotateOptions {
  /** 0: never. Absent: as long as the previous password was given. */
  readonly days?: number
  /** Empty: every network. Absent: those of the previous password. */
  readonly networks?: readonly string[]
}

export function changePassword(
  invocation: Invocation,
  clientId: string,
  options: PasswordOptions,
): Promise<Result> {
  return changeAccount(invocation, clientId, async ({ transaction, account, act }) => {
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
      ...{ keyId: createKeyId(), hash, createdBy: act.by },
      networks: readNetworks(options, newest),
      endsAt: readEnd(options, newest),
    }
    const previousUntil = await replacePasswords(transaction, account, passwords, successor, rotation)
    await syncPasswordHash(transaction, account.id)
    const result = {
      json: { clientId, keyId: successor.keyId, password, previousUntil, endsAt: successor.endsAt },
      lines: [
        `password  ${password}`,
        'The password is not stored and cannot be shown again.',
        describePrevious('password', previousUntil),
      ],
    }
    const { keyId, networks, endsAt } = successor
    return [result, { target: keyId, details: { previousUntil, networks, endsAt } }]
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

function describePrevious(what: string, until: Date | null): string {
  return until === null
    ? `The previous ${what} and its tokens are refused; running processes follow within two seconds.`
    : `The previous ${what} works until ${until.toISOString()}. If it has leaked, end it with \`postern account key revoke\`.`
}
