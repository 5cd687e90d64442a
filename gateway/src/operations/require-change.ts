/** Refuses a change without any field. A misspelled field is refused as unknown elsewhere. */
import { OperationError } from './errors.ts'

export function requireChange<Change extends object>(change: Change, fields: object): Change {
  if (Object.values(change).some((value) => value !== undefined)) return change
  throw new OperationError(
    'invalid-request',
    `the body changes nothing; send at least one of ${Object.keys(fields).join(', ')}`,
  )
}
