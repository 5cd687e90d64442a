/** `postern operator password` and `postern operator totp reset`: how operators sign in to the console. */
import { generatePassword, hashPassword } from '../../accounts/password.ts'
import { resetTotp, setPassword } from '../../operators/login-queries.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { requireLocalOperator } from './context.ts'
import { readPassword } from './read-password.ts'

export interface PasswordOptions {
  readonly generate?: true
}

/** As the admin API demands it of a new password. */
const minLength = 12
const maxLength = 200

export function changePassword(
  invocation: Invocation,
  name: string,
  options: PasswordOptions,
): Promise<Result> {
  const generate = options.generate === true
  return withDatabase(invocation, async (database, _config, audit) => {
    if (audit.act.by !== name) await audit.requireRight('operators')
    // Before somebody types a password that would be refused.
    const { keys } = await requireLocalOperator(database, name, 'password')
    // Whoever makes it knows it.
    const first = generate || audit.act.by !== name
    if (!first && keys.some(({ keyId, endsAt }) => keyId === audit.act.keyId && endsAt !== null))
      throw new FailedError(
        `your key ends, and a password would outlive it; ask an admin for a first one: \`postern operator password ${name} --generate\``,
      )
    const password = generate ? generatePassword() : checked(await readPassword(name), name)
    const hash = await hashPassword(password)
    await audit.change(async (transaction) => {
      const { id: operatorId } = await requireLocalOperator(transaction, name, 'password')
      await setPassword(transaction, audit.signature, { operatorId, hash, initial: first })
      return [undefined, { target: name, details: { first } }]
    })
    return {
      json: { name, first, ...(generate ? { password } : {}) },
      lines: [
        `operator  ${name}`,
        ...(generate
          ? [`password  ${password}`, 'The password is not stored and cannot be shown again.']
          : []),
        first
          ? `${name} replaces it at the next sign-in; sessions of ${name} have ended`
          : 'set; your sessions have ended',
      ],
    }
  })
}

function checked(password: string, name: string): string {
  if (password.length < minLength || password.length > maxLength)
    throw new FailedError(`the password must have ${minLength} to ${maxLength} characters`)
  if (password.toLowerCase().includes(name))
    throw new FailedError('the password must not contain the name of the operator')
  return password
}

export function resetSecondFactor(invocation: Invocation, name: string): Promise<Result> {
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      const { id } = await requireLocalOperator(transaction, name, 'second factor')
      const reset = await resetTotp(transaction, audit.signature, id)
      const lines = [
        reset
          ? `${name} enrols another at the next sign-in; sessions of ${name} have ended`
          : `${name} had no second factor, and enrols one at the next sign-in`,
      ]
      return [
        { json: { name, reset }, lines },
        { target: name, details: { reset } },
      ] as const
    }),
  )
}
