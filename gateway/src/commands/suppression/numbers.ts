/** What the commands of `postern suppression` share: accounts and numbers as people write them. */
import { findAccountId } from '../../accounts/queries.ts'
import { isInternationalRecipient, isRecipient } from '../../channels/numbers.ts'
import type { Database } from '../../platform/database.ts'
import { everyAccount } from '../../trust/suppression/choice.ts'
import { noSuchAccount } from '../account/view.ts'
import type { Invocation } from '../invocation.ts'
import type { SecretSetting } from '../setting-lists.ts'

export interface SuppressionOptions {
  readonly account?: string
}

export type SuppressionInvocation = Invocation<SecretSetting>

export async function accountIdOf(database: Database, clientId: string | undefined): Promise<number> {
  if (clientId === undefined) return everyAccount
  const id = await findAccountId(database, clientId)
  if (id === null) throw noSuchAccount(clientId)
  return id
}

/** People write numbers with hyphens and spaces. Errors name the line, not the number. */
export function readNumbers(given: readonly string[], type: new (message: string) => Error): string[] {
  return given.map((text, index) => {
    const number = text.replace(/^\uFEFF/, '').replaceAll(/[\s()-]/g, '')
    if (isRecipient(number) || isInternationalRecipient(number)) return number
    throw new type(
      `number ${index + 1} is not a recipient: it must be digits that begin with 0, or + and the country code. Nothing is stored`,
    )
  })
}
