/** `postern operator add`, `role`, `disable` and `enable`. */
import { addOperator as add, changeOperator, type NewOperator } from '../../acts/operators.ts'
import type { Role } from '../../operators/rights.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { keyResult } from './key.ts'

export async function addOperator(
  invocation: Invocation,
  name: string,
  options: NewOperator,
): Promise<Result> {
  const key = await withDatabase(invocation, (_database, _config, audit) => add(audit, name, options))
  return keyResult(name, key)
}

export async function changeRole(invocation: Invocation, name: string, role: Role): Promise<Result> {
  await withDatabase(invocation, (_database, _config, audit) => changeOperator(audit, name, { role }))
  return { json: { name, role }, lines: [`${name}: ${role}, from the next command on`] }
}

export async function setDisabled(invocation: Invocation, name: string, disabled: boolean): Promise<Result> {
  await withDatabase(invocation, (_database, _config, audit) => changeOperator(audit, name, { disabled }))
  return {
    json: { name, disabled },
    lines: [`${name}: ${disabled ? 'refused' : 'may sign in'}, from the next command on`],
  }
}
