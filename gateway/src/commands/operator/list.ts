/** `postern operator list`. Never prints a key. */
import { isUsable } from '../../acts/operators.ts'
import { listOperators } from '../../operators/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { operatorsResult } from './view.ts'

export async function listAll(invocation: Invocation): Promise<Result> {
  const operators = await withDatabase(invocation, (database) => listOperators(database))
  const usable = new Set(operators.flatMap(({ keys }) => keys.filter(isUsable).map(({ keyId }) => keyId)))
  const shown = operators.map((operator) => ({ ...operator, id: undefined }))
  return operatorsResult(shown, ({ keyId }) => usable.has(keyId))
}
