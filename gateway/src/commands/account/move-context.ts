/** What all steps of `postern account move` are given. */
import type { MovingAccount } from '../../accounts/moves.ts'
import type { Database } from '../../platform/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { FailedError } from '../errors.ts'

export interface Move {
  readonly source: Database
  readonly target: Database
  readonly sourceCipher: FieldCipher
  /** Each cell has data keys of its own. */
  readonly targetCipher: FieldCipher
  readonly fromCell: string
  readonly toCell: string
  readonly clientId: string
  /** As it is in the old cell. */
  readonly account: MovingAccount
  readonly progress: (text: string) => void
}

export function movedByAnother(): FailedError {
  return new FailedError('another run of this command has moved the account; run it again to forward reports')
}
