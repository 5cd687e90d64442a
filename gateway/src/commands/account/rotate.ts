/** `postern account key rotate` and `postern account password`: a new secret, and an overlap with the previous one. */
import {
  addCredential,
  defaultOverlapHours,
  isActive,
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
import { setPasswordHash } from '../../accounts/queries.ts'
import { clock } from '../../platform/clock.ts'
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'
import { actOf, type ActOptions } from '../act.ts'
import { requireCredential, withAccount } from './credential-context.ts'

export interface RotateOptions extends ActOptions {
  readonly overlapHours?: number
  readonly force?: true
}

export function rotateKey(clientId: string, keyId: string, options: RotateOptions): Promise<Result> {
  return withAccount(clientId, async ({ transaction, account, config }) => {
    const current = await requireCredential(transaction, account, keyId)
    if (current.kind === 'password')
      throw new FailedError(`${keyId} is a password; change it with \`postern account password ${clientId}\``)
    const key = createKey(config.cell)
    const { name, scopes, networks } = current
    const previousUntil = await rotateCredential(
      transaction,
      account,
      current,
      {
        ...{ keyId: key.keyId, kind: 'key', hash: key.hash, name, scopes, networks },
        createdBy: actOf(options, 'rotated').by,
        endsAt: successorEnd(current),
      },
      rotationOf(options),
    )
    return {
      json: { clientId, keyId: key.keyId, key: key.text, previousUntil },
      lines: [
        `key id  ${key.keyId}`,
        `key     ${key.text}`,
        'The key is not stored and cannot be shown again.',
        describePrevious('key', previousUntil),
      ],
    }
  })
}

export function changePassword(clientId: string, options: RotateOptions): Promise<Result> {
  return withAccount(clientId, async ({ transaction, account }) => {
    const rotation = rotationOf(options)
    const passwords = (await listCredentials(transaction, account.id)).filter(
      (one) => one.kind === 'password' && one.replacedBy === null && isActive(one, rotation.now),
    )
    const current = passwords.at(-1)
    const password = generatePassword()
    const beside =
      current === undefined || rotation.overlapHours === 0
        ? null
        : await readPasswordHash(transaction, current.id)
    const hash = await hashPassword(password, beside ?? undefined)
    const unlimited = { name: '', scopes: null, networks: null, endsAt: null }
    const createdBy = actOf(options, 'rotated').by
    const named = { keyId: createKeyId(), kind: 'password', hash, createdBy } as const
    const successor = { ...unlimited, ...named }
    const previousUntil =
      current === undefined
        ? await addPassword(transaction, account, successor, rotation.now)
        : await rotateCredential(transaction, account, current, successor, rotation)
    await setPasswordHash(transaction, account.id, hash)
    return {
      json: { clientId, password, previousUntil },
      lines: [
        `password  ${password}`,
        'The password is not stored and cannot be shown again.',
        describePrevious('password', previousUntil),
      ],
    }
  })
}

/** All earlier ones were revoked. */
async function addPassword(...given: Parameters<typeof addCredential>): Promise<null> {
  await addCredential(...given)
  return null
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
