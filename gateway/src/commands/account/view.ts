/** An account as the commands print it: never its password or its hash. */
import { families, type AccountSettings, type Account } from '../../accounts/account.ts'
import { table, type Result } from '../result.ts'

export { noSuchAccount, requireAccountId } from '../../acts/accounts.ts'

type Named = Pick<Account, 'clientId' | 'name' | 'blocked'>
/** What the commands show of an account, from the database or the admin API. */
export type ShownAccount = Named & AccountSettings

export function accountsResult(accounts: readonly ShownAccount[]): Result {
  const rows = accounts.map((account) => [account.clientId, stateOf(account), account.name])
  return {
    json: { accounts: accounts.map(accountJson) },
    lines: table([['client id', 'state', 'name'], ...rows]),
  }
}

export function accountResult(account: ShownAccount): Result {
  const rows = [
    ['client id', account.clientId],
    ['name', account.name],
    ['state', stateOf(account)],
    ...settingRows(account),
  ]
  return { json: accountJson(account), lines: table(rows) }
}

function stateOf({ blocked }: ShownAccount): string {
  return blocked ? 'blocked' : 'active'
}

/** An account in the JSON of every command. */
export function accountJson(account: Named & AccountSettings) {
  const {
    clientId,
    name,
    blocked,
    mayPoll,
    partCounts,
    reportKeys,
    limits,
    lane,
    weight,
    eraseAfterDays,
    uncertainFallback,
    smppBinds,
    smppSystemId,
    smppReplies,
  } = account
  return {
    clientId,
    name,
    blocked,
    polling: mayPoll,
    partCounts,
    reportKeys,
    limits,
    lane,
    weight,
    eraseAfterDays,
    uncertainFallback,
    smppBinds,
    smppSystemId,
    smppReplies,
  }
}

export function describeSettings(settings: AccountSettings): string {
  return settingRows(settings)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

export function settingRows(settings: AccountSettings): [string, string][] {
  const {
    mayPoll,
    partCounts,
    reportKeys,
    limits,
    lane,
    weight,
    eraseAfterDays: days,
    uncertainFallback,
  } = settings
  const limit = (value: number | null): string =>
    value === null ? 'default' : value === 0 ? 'none' : `${value}/s`
  return [
    ['polling', mayPoll ? 'yes' : 'no'],
    ['part counts', partCounts ? 'yes' : 'no'],
    ['report keys', reportKeys],
    ['limits', families.map((family) => `${family} ${limit(limits[family])}`).join(', ')],
    ['lane', lane ?? 'by kind'],
    ['weight', String(weight)],
    [
      'texts and recipients erased',
      days === null ? 'with their day' : days === 0 ? 'at the close' : `${days} days after the close`,
    ],
    ['fallback after an uncertain outcome', uncertainFallback.replace('-', ' ')],
    ['SMPP', describeSmpp(settings)],
  ]
}

function describeSmpp({ smppBinds, smppSystemId, smppReplies }: AccountSettings): string {
  if (smppBinds === 0) return 'no'
  const id = smppSystemId === null ? 'with its client id' : `as ${smppSystemId}`
  return `${smppBinds} binds ${id}, ${smppReplies ? 'with' : 'without'} replies`
}
