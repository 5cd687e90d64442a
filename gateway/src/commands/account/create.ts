/** `postern account create`. The password is printed once; only its hash is stored. */
import { defaultSettings } from '../../accounts/account.ts'
import { generatePassword, hashPassword } from '../../accounts/password.ts'
import { findAccountId, insertAccount } from '../../accounts/queries.ts'
import { randomLetters } from '../../contract/msg-key.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { LimitSetting } from '../setting-lists.ts'
import { changeSettings, rightsFor, type SettingsOptions } from './settings.ts'

export interface CreateOptions extends SettingsOptions {
  readonly name: string
  readonly clientId?: string
}

export async function createAccount(
  invocation: Invocation<LimitSetting>,
  options: CreateOptions,
): Promise<Result> {
  const settings = changeSettings(defaultSettings, options)
  const clientId = options.clientId ?? `acc${randomLetters(10).toLowerCase()}`
  const password = generatePassword()
  const passwordHash = await hashPassword(password)
  await withDatabase(invocation, (_database, config, audit) =>
    audit.change(async (transaction) => {
      for (const right of rightsFor(defaultSettings, settings, config)) await audit.requireRight(right)
      if ((await findAccountId(transaction, clientId)) !== null)
        throw new FailedError(`client id '${clientId}' is taken; choose another with --client-id`)
      await insertAccount(transaction, { clientId, name: options.name, passwordHash, ...settings })
      return [null, { target: clientId, account: clientId, details: { name: options.name, ...settings } }]
    }),
  )
  return {
    json: { clientId, password },
    lines: [
      `client id  ${clientId}`,
      `password   ${password}`,
      'The password is not stored and cannot be shown again.',
    ],
  }
}
