/** An account as the commands print it: never its password or its hash. */
import { families, type Account, type AccountSettings } from '../../accounts/account.ts'

export { noSuchAccount, requireAccountId } from '../../acts/accounts.ts'

/** An account in the JSON of every command. */
export function accountJson(account: Pick<Account, 'clientId' | 'name' | 'blocked'> & AccountSettings) {
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
