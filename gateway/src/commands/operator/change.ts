/** `postern operator add`, `role`, `disable` and `enable`. */
import { addOperator as add, changeOperator, type NewOperator } from '../../acts/operators.ts'
import type { Role } from '../../operators/rights.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { disabledResult, keyResult, roleResult } from './view.ts'

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
  return roleResult(name, role)
}

export async function setDisabled(invocation: Invocation, name: string, disabled: boolean): Promise<Result> {
  await withDatabase(invocation, (_database, _config, audit) => changeOperator(audit, name, { disabled }))
  return disabledResult(name, disabled)
}
