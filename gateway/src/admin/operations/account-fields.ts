/** The settings of an account as the admin API reads and writes them. */
import { Type } from 'typebox'
import {
  families,
  maxSystemId,
  reportKeys,
  uncertainFallbacks,
  type Account as StoredAccount,
  type Family,
} from '../../accounts/account.ts'
import { usualLanes } from '../../channels/lane.ts'
import { clientId, flag, internal, nullable, oneOf, record, text, whole } from '../fields.ts'

const limited: Readonly<Record<Family, string>> = {
  send: 'Destinations',
  report: 'Polls, acknowledgements and inquiries',
  file: 'Uploads',
  form: 'Requests about forms',
}
const limit = (family: Family) =>
  nullable(
    whole(`${limited[family]} per second; 0 is no limit, null is POSTERN_${family.toUpperCase()}_LIMIT`, {
      minimum: 0,
      maximum: 9_999_999,
    }),
  )
const limits = record(
  Object.fromEntries(families.map((family) => [family, limit(family)])) as Record<
    Family,
    ReturnType<typeof limit>
  >,
  'Limits of its own',
  { title: 'AccountLimits' },
)

const settingFields = {
  polling: flag('Whether it may poll its reports'),
  partCounts: flag('Whether its reports of international messages have resCnt'),
  reportKeys: oneOf(
    reportKeys,
    'Keys of its reports; plain leaves out to, step, last, outcome, sendTime, resCnt and userType, state of inquiries and field of errors',
  ),
  limits,
  lane: nullable(
    oneOf(
      usualLanes,
      'Lane of its messages; null lets each message decide, so that one with a time limit of five minutes or less is urgent, and codes does that for one-time codes alone',
    ),
  ),
  weight: whole(
    'Its share of a route while other accounts wait too, and of what may be accepted while more is sent than recorded',
    { minimum: 1, maximum: 100 },
  ),
  eraseAfterDays: nullable(
    whole(
      'Days after the close until text and recipient are erased; 0 erases them at the close, null after POSTERN_RETENTION_DAYS',
      { minimum: 0, maximum: 366 },
    ),
  ),
  uncertainFallback: oneOf(
    uncertainFallbacks,
    'Whether the next step starts when it is not known whether one was delivered, which may deliver both; after-timeout only when the carrier had accepted it and no receipt came in time',
  ),
  smppBinds: whole('Binds over SMPP at a time, over all servers; with 0 it cannot use SMPP', {
    minimum: 0,
    maximum: 100,
  }),
  smppSystemId: nullable(
    text(
      `What it binds with over SMPP, up to ${maxSystemId} letters, digits, dots, dashes or underscores; null is its client id`,
      { pattern: `^[A-Za-z0-9._-]{1,${maxSystemId}}$` },
    ),
  ),
  smppReplies: flag('Whether what recipients write is delivered to its binds over SMPP'),
}

export const accountFields = {
  clientId,
  name: text('Its name, for people'),
  state: oneOf(['active', 'blocked'], 'Whether its requests are served'),
  blocked: flag('Whether it is blocked'),
  ...settingFields,
  lane: internal(settingFields.lane),
  weight: internal(settingFields.weight),
}
export const Account = record(accountFields, 'An account', { title: 'Account' })

export const toAccount = (account: StoredAccount) => ({
  ...account,
  state: account.blocked ? ('blocked' as const) : ('active' as const),
  polling: account.mayPoll,
})

/** What is left out stays. */
export const changedFields = {
  ...Type.Partial(Type.Object(settingFields)).properties,
  limits: Type.Optional(Type.Partial(limits)),
}
