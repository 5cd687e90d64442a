/** `postern trust account`. */
import { changesBetween } from '../../audit/changes.ts'
import {
  changeAccountTrust,
  readAccountTrust,
  type AccountKind,
  type AccountTrust,
} from '../../trust/accounts.ts'
import { isOriginCode } from '../../trust/origin/origin.ts'
import { lockServed } from '../../acts/served.ts'
import { requireAccountId } from '../account/view.ts'
import { withDatabase } from '../connect.ts'
import { UsageError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

export interface AccountTrustOptions {
  readonly kind?: AccountKind
  readonly originCodes?: readonly string[]
  readonly sandbox?: boolean
}

export async function setAccountTrust(
  invocation: Invocation,
  clientId: string,
  options: AccountTrustOptions,
): Promise<Result> {
  const { kind, originCodes, sandbox } = options
  const wrong = originCodes?.find((code) => !isOriginCode(code))
  if (wrong !== undefined) throw new UsageError(`--origin-codes must be codes of nine digits, not '${wrong}'`)
  const change: Partial<AccountTrust> = {
    ...(kind === undefined ? {} : { kind }),
    ...(originCodes === undefined ? {} : { originCodes }),
    ...(sandbox === undefined ? {} : { sandbox }),
  }
  const trust = await withDatabase(invocation, (_database, _config, audit) =>
    audit.change(async (transaction) => {
      if (Object.keys(change).length === 0)
        return [await readAccountTrust(transaction, await requireAccountId(transaction, clientId)), null]
      audit.requireReason('what an account may do')
      const { id } = await lockServed(transaction, clientId)
      const before = await readAccountTrust(transaction, id)
      const after = await changeAccountTrust(transaction, id, change)
      const details = changesBetween(before, after)
      return [after, { target: clientId, account: clientId, details }] as const
    }),
  )
  return {
    json: { clientId, ...trust },
    lines: table([
      ['account', clientId],
      ['kind', trust.kind],
      ['sandbox', trust.sandbox ? 'yes' : 'no'],
      ['origin codes', trust.originCodes.length === 0 ? 'none of its own' : trust.originCodes.join(', ')],
    ]),
  }
}
