/** `postern suppression show`: what is known of a recipient, and what was before. Recorded as a look at a person. */
import type { Database } from '../../platform/database.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { keyOf } from '../../trust/suppression/choice-index.ts'
import {
  findChoice,
  readHistory,
  type FormerChoice,
  type FoundChoice,
} from '../../trust/suppression/queries.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Result } from '../result.ts'
import { accountIdOf, readNumbers, type SuppressionInvocation, type SuppressionOptions } from './numbers.ts'

const unknown = { state: 'none', night: false, since: null, source: null, reason: null } as const

export function showNumber(
  invocation: SuppressionInvocation,
  number: string,
  options: SuppressionOptions,
): Promise<Result> {
  const [to = ''] = readNumbers([number], UsageError)
  return withDatabase(invocation, async (database, config, audit) => {
    const accountId = await accountIdOf(database, options.account)
    const blindIndex = await openEncryption(config).findBlindIndex(database)
    const key = blindIndex === undefined ? null : keyOf(blindIndex, accountId, to)
    const index = key?.toString('hex') ?? null
    await audit.look(
      { target: 'recipient', account: options.account ?? null, details: { recipients: [index] } },
      'suppression',
    )
    const { found, history } = key === null ? nothing : await read(database, key, accountId)
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

interface Known {
  readonly found: FoundChoice | null
  readonly history: readonly FormerChoice[]
}

const nothing: Known = { found: null, history: [] }

async function read(database: Database, key: Buffer, accountId: number): Promise<Known> {
  return {
    found: await findChoice(database, key, accountId),
    history: await readHistory(database, key, accountId),
  }
}

function describe({ state, night, since, source, reason }: FoundChoice): string {
  const words = state === 'none' ? 'taken back' : state
  return `${words}${night ? ', at night too' : ''} since ${since.toISOString()} by ${source}${reason === '' ? '' : `: ${reason}`}`
}
