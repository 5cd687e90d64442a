/** What an account may do besides its settings, and what its advertisements must have. */
import { Type } from 'typebox'
import {
  changeAdvertising,
  changeTrust,
  maxListed,
  maxName,
  readAdvertisingChange,
  readTrustChange,
  showAdvertising,
  showTrust,
} from '../../acts/account-trust.ts'
import { asField } from '../../acts/names.ts'
import { originFormOf } from '../../channels/origin-form.ts'
import { accountKinds } from '../../trust/account-kinds.ts'
import type { AccountTrust } from '../../trust/accounts.ts'
import type { AccountAdvertising } from '../../trust/advertising/accounts.ts'
import { clientId, flag, oneOf, record, shownPattern, text } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { requireChange } from '../require-change.ts'

const base = '/admin/v1/accounts/{clientId}'

const few = (item: ReturnType<typeof text>, description: string) =>
  Type.Array(item, { maxItems: maxListed, description })

const trustFields = {
  kind: oneOf(accountKinds, 'reseller: it sends for others, under its own origin code'),
  sandbox: flag('Whether its messages take sandbox routes alone, so that it needs no registered sender'),
  originCodes: few(
    text('Nine digits, or as POSTERN_ORIGIN_PATTERN says', { pattern: '^[0-9A-Za-z]{1,20}$' }),
    'Codes that its messages may carry as originCID, the first one where the client gives none',
  ),
}
const Trust = record({ clientId, ...trustFields }, 'What trust knows of an account', {
  title: 'AccountTrust',
})

const advertisingFields = {
  advertiser: flag('Whether every text of it is an advertisement, marked or not'),
  names: few(
    text('A name', { minLength: 1, maxLength: maxName, pattern: shownPattern }),
    'Names of which one follows the mark (광고)',
  ),
  optOutNumbers: few(
    text('An 080 number', { minLength: 10, maxLength: 20 }),
    'Numbers by which recipients opt out',
  ),
}
const Advertising = record(
  { clientId, ...advertisingFields },
  'What advertisements of an account must have',
  { title: 'AccountAdvertising' },
)

const toTrust = (id: string, { kind, sandbox, originCodes }: AccountTrust) => ({
  ...{ clientId: id, kind, sandbox, originCodes: [...originCodes] },
})
const toAdvertising = (id: string, { advertiser, names, optOutNumbers }: AccountAdvertising) => ({
  ...{ clientId: id, advertiser, names: [...names], optOutNumbers: [...optOutNumbers] },
})

export const accountTrustOperations = [
  defineOperation({
    id: 'showAccountTrust',
    method: 'get',
    path: `${base}/trust`,
    tag: 'Rules',
    summary: 'Show what trust knows of an account: its kind, its origin codes, whether it is a sandbox',
    access: reads(),
    action: 'trust account',
    params: { clientId },
    data: Trust,
    run: async ({ params }, { database }) =>
      toTrust(params.clientId, await showTrust(database, params.clientId)),
  }),
  defineOperation({
    id: 'setAccountTrust',
    method: 'patch',
    path: `${base}/trust`,
    tag: 'Rules',
    summary:
      'Change the kind of an account, its origin codes, or whether it is a sandbox; what is left out stays, and running processes follow within two seconds',
    access: changes('trust', 'required'),
    action: 'trust account',
    params: { clientId },
    body: Type.Partial(Type.Object(trustFields)).properties,
    data: Trust,
    run: async ({ params, body }, { audit, services: { config } }) => {
      const change = requireChange(readTrustChange(body, asField, originFormOf(config)), trustFields)
      return toTrust(params.clientId, await changeTrust(audit, params.clientId, change))
    },
  }),
  defineOperation({
    id: 'showAccountAdvertising',
    method: 'get',
    path: `${base}/advertising`,
    tag: 'Rules',
    summary: 'Show what advertisements of an account must have',
    access: reads(),
    action: 'trust advertising',
    params: { clientId },
    data: Advertising,
    run: async ({ params }, { database }) =>
      toAdvertising(params.clientId, await showAdvertising(database, params.clientId)),
  }),
  defineOperation({
    id: 'setAccountAdvertising',
    method: 'patch',
    path: `${base}/advertising`,
    tag: 'Rules',
    summary:
      'Change what advertisements of an account must have; what is left out stays, and running processes follow within two seconds',
    access: changes('trust', 'required'),
    action: 'trust advertising',
    params: { clientId },
    body: Type.Partial(Type.Object(advertisingFields)).properties,
    data: Advertising,
    run: async ({ params, body }, { audit }) => {
      const change = requireChange(readAdvertisingChange(body, asField), advertisingFields)
      return toAdvertising(params.clientId, await changeAdvertising(audit, params.clientId, change))
    },
  }),
]
