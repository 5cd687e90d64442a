import { Type } from 'typebox'
import {
  endpointFamilies,
  maxSystemId,
  reportKeys,
  uncertainFallbacks,
  type Account as StoredAccount,
  type EndpointFamily,
} from '../../identity/accounts/account.ts'
import { laneSettings } from '../../channels/lane.ts'
import { clientId, flag, internal, nullable, oneOf, record, text, whole } from '../fields.ts'

const limitedRequests: Readonly<Record<EndpointFamily, string>> = {
  send: 'Destinations',
  report: 'Polls, acknowledgements and inquiries',
  file: 'Uploads',
  form: 'Form requests',
}
const limit = (family: EndpointFamily) =>
  nullable(
    whole(
      `${limitedRequests[family]} per second; 0 means no limit, null the default POSTERN_${family.toUpperCase()}_LIMIT`,
      { minimum: 0, maximum: 9_999_999 },
    ),
  )
const limits = record(
  Object.fromEntries(endpointFamilies.map((family) => [family, limit(family)])) as Record<
    EndpointFamily,
    ReturnType<typeof limit>
  >,
  'Rate limits of the account',
  { title: 'AccountLimits' },
)

export const smartEncodingDescription =
  'Whether SMS, LMS and MMS have plain equivalents of characters that Korean carriers cannot encode'

const settingFields = {
  polling: flag('Whether polling for reports is enabled'),
  partCounts: flag('Whether reports of international messages include resCnt'),
  reportKeys: oneOf(
    reportKeys,
    'Fields of its reports; plain omits to, step, last and outcome, and also state of inquiries, field of errors and acceptance of destinations; minimal also omits sendTime, resCnt and userType',
  ),
  limits,
  lane: nullable(
    oneOf(
      laneSettings,
      'Lane of its messages; null: a message with a time limit of five minutes or less is urgent; codes: only such one-time codes are urgent',
    ),
  ),
  weight: whole(
    'Relative share of a route while other accounts wait, and of admissions while more is sent than can be recorded',
    { minimum: 1, maximum: 100 },
  ),
  eraseAfterDays: nullable(
    whole(
      'Days after closing until text and recipient are erased; 0 erases them at closing, null after POSTERN_RETENTION_DAYS',
      { minimum: 0, maximum: 366 },
    ),
  ),
  uncertainFallback: oneOf(
    uncertainFallbacks,
    'Whether the next step starts if the delivery of a step is uncertain, which can deliver both; after-timeout: only if the carrier accepted it and no receipt arrived in time',
  ),
  smppBinds: whole('Maximum SMPP binds over all servers; 0 disables SMPP', { minimum: 0, maximum: 100 }),
  smppSystemId: nullable(
    text(
      `SMPP system_id, up to ${maxSystemId} letters, digits, dots, dashes or underscores; null means the client ID`,
      { pattern: `^[A-Za-z0-9._-]{1,${maxSystemId}}$` },
    ),
  ),
  smppReplies: flag('Whether replies of recipients are delivered to its SMPP binds'),
  smartEncoding: flag(smartEncodingDescription),
  batchMegabytes: whole('MiB that its batches may occupy until they are deleted', {
    minimum: 1,
    maximum: 1_048_576,
  }),
}

export const accountFields = {
  clientId,
  name: text('Display name'),
  state: oneOf(['active', 'blocked'], 'Whether its requests are accepted'),
  blocked: flag('Whether the account is blocked'),
  ...settingFields,
  lane: internal(settingFields.lane),
  weight: internal(settingFields.weight),
}
export const AccountSchema = record(accountFields, 'An account', { title: 'Account' })

export const toAccount = (account: StoredAccount) => ({
  ...account,
  state: account.blocked ? ('blocked' as const) : ('active' as const),
  polling: account.mayPoll,
})

/** Settings that are omitted keep their value. */
export const changedFields = {
  ...Type.Partial(Type.Object(settingFields)).properties,
  limits: Type.Optional(Type.Partial(limits)),
}
