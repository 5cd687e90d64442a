/** What the operations on operators share. */
import { Type } from 'typebox'
import type { PrintedKey } from '../../acts/operators.ts'
import { nullable, record, text, time } from '../fields.ts'
import type { SignedOperator } from '../operation.ts'
import { OperationError } from '../../acts/errors.ts'

export const operatorName = text('Name of the operator', { minLength: 1, maxLength: 100 })

export const keyDays = {
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3_650,
      description: 'Days after which the key ends; never if left out',
    }),
  ),
}

export const NewKey = record(
  {
    name: operatorName,
    keyId: text('Id of the key'),
    key: text('The key, which is not stored'),
    endsAt: nullable(time('When it ends')),
  },
  'The operator',
  { title: 'NewOperatorKey' },
)

export function toNewKey(name: string, { keyId, text: key, endsAt }: PrintedKey) {
  return { name, keyId, key, endsAt }
}

/** The database changes operators for whoever signs with a key: whoever takes over a session cannot make an operator. */
export function requireKey({ session }: SignedOperator): void {
  if (session !== null)
    throw new OperationError(
      'refused',
      'operators, their keys and passwords are changed with the key of an operator, not in a session; use the admin API or the command line with a key',
    )
}

/**
 * For what an admin does for others. Whoever has taken the key of an admin would keep more than the key, which its revocation does not end.
 * `instead`: what its operator does.
 */
export function requireOther({ name }: SignedOperator, other: string, instead: string): void {
  if (name === other)
    throw new OperationError(
      'refused',
      `'${name}' is you, and an admin does this for others; ${instead}ask another admin`,
    )
}
