/** `postern operator password` and `postern operator totp reset`: how operators sign in to the console. */
import * as acts from '../../acts/operator-logins.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { readPassword } from './read-password.ts'
import { passwordResult, resetResult } from './view.ts'

export interface PasswordOptions {
  readonly generate?: true
}

export function changePassword(
  invocation: Invocation,
  name: string,
  options: PasswordOptions,
): Promise<Result> {
  const generate = options.generate === true
  return withDatabase(invocation, async (database, _config, audit) => {
    if (audit.act.by !== name) await audit.requireRight('operators')
    // Whoever makes it knows it.
    const first = generate || audit.act.by !== name
    // Before somebody types a password that would be refused.
    await acts.requirePasswordAllowed(database, audit, { name, first })
    const typed = generate ? undefined : await readPassword(name)
    const password = await acts.setOperatorPassword(database, audit, { name, first, password: typed })
    return passwordResult(name, first, generate ? password : null)
  })
}

export function resetSecondFactor(invocation: Invocation, name: string): Promise<Result> {
  return withDatabase(invocation, async (_database, _config, audit) =>
    resetResult(name, await acts.resetSecondFactor(audit, name)),
  )
}
