import { Type } from 'typebox'
import type { CreatedOperatorKey } from './operators.ts'
import { nullable, record, text, time } from '../fields.ts'
import type { SignedOperator } from '../operation.ts'
import { OperationError } from '../errors.ts'

export const operatorName = text('Name of the operator', { minLength: 1, maxLength: 100 })

export const keyDays = {
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3_650, description: 'Days until the key expires; never if omitted' }),
  ),
}

export const NewOperatorKeySchema = record(
  {
    name: operatorName,
    keyId: text('ID of the key'),
    key: text('The key, which is not stored'),
    endsAt: nullable(time('When it expires; null if never')),
  },
  'The operator',
  { title: 'NewOperatorKey' },
)

export function toNewKey(name: string, { keyId, text: key, endsAt }: CreatedOperatorKey) {
  return { name, keyId, key, endsAt }
}

/**
 * Requires a key: the database verifies the signature of operator changes, so a hijacked session cannot
 * create an operator.
 */
export function requireKey({ session }: SignedOperator): void {
  if (session !== null)
    throw new OperationError(
      'refused',
      'changing operators, their keys and passwords requires an operator key, not a session; use the admin API or the command line with a key',
    )
}

/**
 * Refuses an action of admins on their own operator: a stolen key could otherwise create credentials that survive its
 * revocation. `instead` names what the admin can do instead and ends with `, or `; it can be empty.
 */
export function requireOther({ name }: SignedOperator, other: string, instead: string): void {
  if (name === other)
    throw new OperationError(
      'refused',
      `'${name}' is your own name, and this operation is only for other operators; ${instead}ask another admin`,
    )
}
