/** The commands of `postern operator` over the admin API. */
import type { AddKeyOptions } from '../../acts/operator-keys.ts'
import type { KeyOptions, NewOperator } from '../../acts/operators.ts'
import type { Role } from '../../operators/rights.ts'
import type { AdminClient, Data } from '../client/client.ts'
import { FailedError } from '../errors.ts'
import { profilesPath, replaceKey } from '../client/profiles.ts'
import type { Result } from '../result.ts'
import { readPassword } from './read-password.ts'
import {
  disabledResult,
  keyResult,
  operatorsResult,
  passwordResult,
  resetResult,
  revokedResult,
  roleResult,
} from './view.ts'

export interface PasswordOptions {
  readonly generate?: true
}

function newKeyResult({ name, keyId, key, endsAt }: Data<'addOperator'>): Result {
  return keyResult(name, { keyId, text: key, endsAt })
}

export async function addOperator(admin: AdminClient, name: string, options: NewOperator): Promise<Result> {
  const { role, account, days } = options
  return newKeyResult(
    await admin.call('addOperator', { body: { name, role, account, days, ...admin.reason } }),
  )
}

export async function listAll(admin: AdminClient): Promise<Result> {
  const operators = await admin.readAll((page) => admin.call('listOperators', { query: page }))
  const usable = new Set(
    operators.flatMap(({ keys }) => keys.filter((key) => key.usable).map(({ keyId }) => keyId)),
  )
  const shown = operators.map((operator) => ({
    ...operator,
    keys: operator.keys.map((key) => ({ ...key, usable: undefined })),
  }))
  return operatorsResult(shown, ({ keyId }) => usable.has(keyId))
}

export async function changeRole(admin: AdminClient, name: string, role: Role): Promise<Result> {
  await admin.call('setOperator', { params: { name }, body: { role, ...admin.requireReason() } })
  return roleResult(name, role)
}

export async function setDisabled(admin: AdminClient, name: string, disabled: boolean): Promise<Result> {
  await admin.call(disabled ? 'disableOperator' : 'enableOperator', {
    ...{ params: { name }, body: admin.requireReason() },
  })
  return disabledResult(name, disabled)
}

export async function addKey(admin: AdminClient, name: string, options: AddKeyOptions): Promise<Result> {
  const { days, replace } = options
  return newKeyResult(
    await admin.call('addOperatorKey', { params: { name }, body: { days, replace, ...admin.reason } }),
  )
}

/** The profile has the new key from then on: with the former one nothing could be done. */
export async function rotateOwnKey(admin: AdminClient, { days }: KeyOptions): Promise<Result> {
  const result = newKeyResult(await admin.call('rotateOwnKey', { body: { days, ...admin.reason } }))
  const { profile } = admin
  if (profile === null) return result
  try {
    replaceKey(profile, (result.json as { key: string }).key)
    return { ...result, lines: [...result.lines, `The profile '${profile}' has it in ${profilesPath()}.`] }
  } catch (error) {
    // The key must not be lost with the error.
    const next = `The profile '${profile}' still has the former key: ${(error as Error).message}. Sign in again with this one: \`postern login\``
    return { ...result, lines: [...result.lines, next], failed: true }
  }
}

export async function revokeKey(admin: AdminClient, keyId: string): Promise<Result> {
  await admin.call('revokeOperatorKey', { params: { keyId }, body: admin.requireReason() })
  return revokedResult(keyId)
}

export async function changePassword(
  admin: AdminClient,
  name: string,
  options: PasswordOptions,
): Promise<Result> {
  const own = (await admin.call('showMe', {})).name === name
  const params = { name }
  if (options.generate === true) {
    const { password } = await admin.call('giveOperatorPassword', { params, body: admin.requireReason() })
    if (password === null) throw new FailedError('the admin API has made no password; run the command again')
    return passwordResult(name, true, password)
  }
  const reason = own ? admin.reason : admin.requireReason()
  const body = { password: await readPassword(name), ...reason }
  if (own) await admin.call('setOwnPassword', { body })
  else await admin.call('giveOperatorPassword', { params, body: { ...body, ...admin.requireReason() } })
  return passwordResult(name, !own, null)
}

export async function resetSecondFactor(admin: AdminClient, name: string): Promise<Result> {
  const { reset } = await admin.call('resetOperatorTotp', { params: { name }, body: admin.requireReason() })
  return resetResult(name, reset)
}
