/** `postern suppression show`: what is known of a recipient, and what was before. Recorded as a look at a person. */
import { lookAtChoice, readNumbers } from '../../acts/suppression.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import type { SuppressionInvocation, SuppressionOptions } from './numbers.ts'
import { nothingKnown, recipientResult } from './view.ts'

export function showNumber(
  invocation: SuppressionInvocation,
  number: string,
  { account }: SuppressionOptions,
): Promise<Result> {
  const [to = ''] = readNumbers([number], UsageError)
  return withDatabase(invocation, async (database, config, audit) => {
    const known = await lookAtChoice(database, audit, openEncryption(config), account, to)
    const { found, history, index } = known
    return recipientResult({ ...(found ?? nothingKnown), index, history })
  })
}
