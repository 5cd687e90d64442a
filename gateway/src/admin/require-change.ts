/** Refuses a change that changes nothing: a field that is spelled wrong is refused as unknown, an empty body here. Pure. */
import { OperationError } from '../acts/errors.ts'

export function requireChange<Change extends object>(change: Change, fields: object): Change {
  if (Object.values(change).some((value) => value !== undefined)) return change
  throw new OperationError(
    'invalid-request',
    `the body has nothing to change: give at least one of ${Object.keys(fields).join(', ')}`,
  )
}
