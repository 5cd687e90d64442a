/** `postern account key rotate` and `postern account password`: a new secret, and an overlap with the previous one. */
import {
  changePassword as change,
  rotateKey as rotate,
  type PasswordOptions,
  type RotateOptions,
} from '../../acts/rotate.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

export type { PasswordOptions, RotateOptions }

export async function rotateKey(
  invocation: Invocation<'cell'>,
  clientId: string,
  keyId: string,
  options: RotateOptions,
): Promise<Result> {
  const rotated = await withDatabase(invocation, (_database, { cell }, audit) =>
    rotate(audit, cell, clientId, keyId, options),
  )
  return {
    json: { clientId, ...rotated },
    lines: [
      `key id  ${rotated.keyId}`,
      `key     ${rotated.key}`,
      'The key is not stored and cannot be shown again.',
      describePrevious('key', rotated.previousUntil),
    ],
  }
}

export async function changePassword(
  invocation: Invocation,
  clientId: string,
  options: PasswordOptions,
): Promise<Result> {
  const { keyId, password, previousUntil, endsAt } = await withDatabase(
    invocation,
    (_database, _config, audit) => change(audit, clientId, options),
  )
  return {
    json: { clientId, keyId, password, previousUntil, endsAt },
    lines: [
      `password  ${password}`,
      'The password is not stored and cannot be shown again.',
      describePrevious('password', previousUntil),
    ],
  }
}

function describePrevious(what: string, until: Date | null): string {
  return until === null
    ? `The previous ${what} and its tokens are refused; running processes follow within two seconds.`
    : `The previous ${what} works until ${until.toISOString()}. If it has leaked, end it with \`postern account key revoke\`.`
}
