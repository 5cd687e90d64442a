/** The trust settings of an account. The only writer of account_trust. */
import type { AccountKind } from './account-kinds.ts'
import { createAccountTable } from './account-table.ts'

export interface AccountTrust {
  /** A reseller sends for others; its messages name it as the operator that first accepted them. */
  readonly kind: AccountKind
  /** Whether messages only reach sandbox routes, so that the account needs no registered sender. */
  readonly sandbox: boolean
  /** Registration numbers that messages of the account can use; the first is the default. */
  readonly originCodes: readonly string[]
}

export const defaultAccountTrust: AccountTrust = { kind: 'customer', sandbox: false, originCodes: [] }

const table = createAccountTable<AccountTrust>({
  table: 'account_trust',
  topic: 'accounts',
  columns: { kind: 'kind', sandbox: 'sandbox', originCodes: 'origin_codes' },
  defaults: defaultAccountTrust,
})

export const { load: loadAccountTrust, read: readAccountTrust, change: changeAccountTrust } = table
