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
import { passwordResult, rotatedResult } from './credential-view.ts'

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
  return rotatedResult(clientId, rotated)
}

export async function changePassword(
  invocation: Invocation,
  clientId: string,
  options: PasswordOptions,
): Promise<Result> {
  const changed = await withDatabase(invocation, (_database, _config, audit) =>
    change(audit, clientId, options),
  )
  return passwordResult(clientId, changed)
}
