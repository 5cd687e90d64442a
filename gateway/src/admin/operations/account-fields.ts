/** The settings of an account as the admin API reads and writes them. */
import { Type } from 'typebox'
import {
  families,
  maxSystemId,
  reportKeys,
  uncertainFallbacks,
  type Account as StoredAccount,
} from '../../accounts/account.ts'
import type { SettingsOptions } from '../../acts/account-settings.ts'
import { usualLanes } from '../../channels/lane.ts'
import { clientId, flag, internal, nullable, oneOf, record, text, whole } from '../fields.ts'

const limit = nullable(
  whole('Requests per second; 0: no limit; null: as configured', { minimum: 0, maximum: 9_999_999 }),
)
export const limits = record(
  Object.fromEntries(families.map((family) => [family, limit])) as Record<
    (typeof families)[number],
    typeof limit
  >,
  'Limits of its own',
  { title: 'AccountLimits' },
)

const settingFields = {
  polling: flag('Whether it may poll its reports'),
  partCounts: flag('Whether its reports of international messages have resCnt'),
  reportKeys: oneOf(reportKeys, 'Keys of its reports'),
  limits,
  lane: nullable(oneOf(usualLanes, 'Lane of its messages; null: by the kind of message')),
  weight: whole('Its share of a route while other accounts wait too', { minimum: 1, maximum: 100 }),
  eraseAfterDays: nullable(
    whole('Days after the close until text and recipient are erased; 0: at the close; null: with their day', {
      ...{ minimum: 0, maximum: 366 },
    }),
  ),
  uncertainFallback: oneOf(
    uncertainFallbacks,
    'Whether the next step starts when it is not known whether one was delivered',
  ),
  smppBinds: whole('Binds over SMPP at a time, over all servers; 0: it may not use SMPP', {
    ...{ minimum: 0, maximum: 100 },
  }),
  smppSystemId: nullable(
    text('What it binds with over SMPP; null: its client id', {
      pattern: `^[A-Za-z0-9._-]{1,${maxSystemId}}$`,
    }),
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

export function toAccount(account: StoredAccount) {
  const { name, blocked, mayPoll, partCounts, lane, weight, eraseAfterDays } = account
  return {
    ...{
      clientId: account.clientId,
      name,
      blocked,
      polling: mayPoll,
      partCounts,
      lane,
      weight,
      eraseAfterDays,
    },
    state: blocked ? ('blocked' as const) : ('active' as const),
    ...{
      reportKeys: account.reportKeys,
      limits: account.limits,
      uncertainFallback: account.uncertainFallback,
    },
    ...{
      smppBinds: account.smppBinds,
      smppSystemId: account.smppSystemId,
      smppReplies: account.smppReplies,
    },
  }
}

/** What is left out stays. */
export const changedFields = Type.Partial(Type.Object(settingFields)).properties

export interface GivenSettings {
  readonly polling?: boolean
  readonly partCounts?: boolean
  readonly reportKeys?: (typeof reportKeys)[number]
  readonly limits?: Readonly<Partial<Record<(typeof families)[number], number | null>>>
  readonly lane?: (typeof usualLanes)[number] | null
  readonly weight?: number
  readonly eraseAfterDays?: number | null
  readonly uncertainFallback?: (typeof uncertainFallbacks)[number]
  readonly smppBinds?: number
  readonly smppSystemId?: string | null
  readonly smppReplies?: boolean
}

export function toOptions({
  limits: given = {},
  lane,
  eraseAfterDays,
  smppSystemId,
  ...others
}: GivenSettings): SettingsOptions {
  const limitOptions = families.flatMap((family) => {
    const value = given[family]
    return value === undefined ? [] : [[`${family}Limit`, value ?? 'default'] as const]
  })
  return {
    ...others,
    ...Object.fromEntries(limitOptions),
    ...(lane === undefined ? {} : { lane: lane ?? 'by-kind' }),
    ...(eraseAfterDays === undefined ? {} : { eraseAfter: eraseAfterDays ?? 'kept' }),
    ...(smppSystemId === undefined ? {} : { smppSystemId: smppSystemId ?? 'client-id' }),
  }
}
