/** `postern operator add`, `role`, `disable` and `enable`. */
import { hasOperators, insertOperator, updateOperator } from '../../operators/queries.ts'
import type { Role } from '../../operators/rights.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { requireAdminLeft, requireOperator } from './context.ts'
import { createKey, keyResult, type KeyOptions } from './key.ts'

export function addOperator(
  invocation: Invocation,
  name: string,
  options: KeyOptions & { readonly role: Role },
): Promise<Result> {
  const { role } = options
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      if (role !== 'admin' && !(await hasOperators(transaction)))
        throw new FailedError('the first operator must be an admin: nobody else may manage operators')
      const key = createKey(audit.act.by, options)
      if (!(await insertOperator(transaction, audit.signature, { name, role, key })))
        throw new FailedError(`the operator '${name}' exists; \`postern operator role\` changes the role`)
      return [keyResult(name, key), { target: name, details: { role, keyId: key.keyId } }] as const
    }),
  )
}

export async function changeRole(invocation: Invocation, name: string, role: Role): Promise<Result> {
  await update(invocation, name, { role })
  return { json: { name, role }, lines: [`${name}: ${role}, from the next command on`] }
}

export async function setDisabled(invocation: Invocation, name: string, disabled: boolean): Promise<Result> {
  await update(invocation, name, { disabled })
  return {
    json: { name, disabled },
    lines: [`${name}: ${disabled ? 'refused' : 'may sign in'}, from the next command on`],
  }
}

function update(
  invocation: Invocation,
  name: string,
  change: { readonly role?: Role; readonly disabled?: boolean },
): Promise<void> {
  return withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      const { id, role, disabledAt, issuer } = await requireOperator(transaction, name)
      if (change.role !== undefined && issuer !== null)
        throw new FailedError(
          `the role of ${name} is what ${issuer} says; change the groups of the person there, or POSTERN_ADMIN_OIDC_ROLES`,
        )
      const before = { role, disabled: disabledAt !== null }
      const after = { ...before, ...change }
      await updateOperator(transaction, audit.signature, id, change)
      await requireAdminLeft(transaction)
      return [undefined, { target: name, details: { before, after } }]
    }),
  )
}
