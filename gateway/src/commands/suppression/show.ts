/** `postern suppression show`: what is known of a recipient, and what was before. Recorded as a look at a person. */
import { lookAtChoice, readNumbers } from '../../acts/suppression.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import type { FoundChoice } from '../../trust/suppression/queries.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import type { SuppressionInvocation, SuppressionOptions } from './numbers.ts'

const unknown = { state: 'none', night: false, since: null, source: null, reason: null } as const

export function showNumber(
  invocation: SuppressionInvocation,
  number: string,
  { account }: SuppressionOptions,
): Promise<Result> {
  const [to = ''] = readNumbers([number], UsageError)
  return withDatabase(invocation, async (database, config, audit) => {
    const known = await lookAtChoice(database, audit, openEncryption(config), account, to)
    const { found, history, index } = known
    return {
      json: { ...(found ?? unknown), index, history },
      lines: [
        found === null ? 'nothing is known of the recipient' : describe(found),
        ...history.map((former) => `until ${former.endedAt.toISOString()}: ${describe(former)}`),
        ...(index === null ? [] : [`in the audit log the recipient is ${index}`]),
      ],
    }
  })
}

function describe({ state, night, since, source, reason }: FoundChoice): string {
  const words = state === 'none' ? 'taken back' : state
  return `${words}${night ? ', at night too' : ''} since ${since.toISOString()} by ${source}${reason === '' ? '' : `: ${reason}`}`
}
