/** Trust and advertising settings of an account. A change and its audit row commit together. */
import { Type } from 'typebox'
import { lockAccount, requireAccountId } from '../find-account.ts'
import { wrongField } from '../errors.ts'
import { diffFields } from '../../identity/audit/diff-fields.ts'
import { stripNumber } from '../../channels/numbers.ts'
import { createOriginForm } from '../../channels/origin-form.ts'
import { accountKinds } from '../../trust/account-kinds.ts'
import { changeAccountTrust, readAccountTrust } from '../../trust/accounts.ts'
import { changeAccountAdvertising, readAccountAdvertising } from '../../trust/advertising/accounts.ts'
import { clientId, flag, oneOf, record, shownPattern, text } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import { requireChange } from '../require-change.ts'

const base = '/admin/v1/accounts/{clientId}'

const shortList = (item: ReturnType<typeof text>, description: string) =>
  Type.Array(item, { maxItems: 20, description })

const trustFields = {
  kind: oneOf(accountKinds, 'A reseller sends for others, under its own origin code'),
  sandbox: flag('Whether its messages use only sandbox routes and need no registered sender'),
  originCodes: shortList(
    text('Nine digits, or a match of POSTERN_ORIGIN_PATTERN', { pattern: '^[0-9A-Za-z]{1,20}$' }),
    'Allowed values of originCID: nine digits, or a match of POSTERN_ORIGIN_PATTERN; the first is the default',
  ),
}
const Trust = record({ clientId, ...trustFields }, 'Trust settings of an account', { title: 'AccountTrust' })

const advertisingFields = {
  advertiser: flag('Whether each of its texts is treated as an advertisement, marked or not'),
  names: shortList(
    text('A name', { minLength: 1, maxLength: 40, pattern: shownPattern }),
    'Names, one of which must follow the mark (광고)',
  ),
  optOutNumbers: shortList(
    text('An 080 number', { minLength: 10, maxLength: 20 }),
    '080 numbers by which recipients opt out',
  ),
}
const Advertising = record({ clientId, ...advertisingFields }, 'Advertising settings of an account', {
  title: 'AccountAdvertising',
})

export const accountTrustOperations = [
  defineOperation({
    id: 'showAccountTrust',
    method: 'get',
    path: `${base}/trust`,
    tag: 'Rules',
    summary: 'Show the trust settings of an account: kind, origin codes and sandbox',
    access: readAccess(),
    action: 'trust account show',
    command: { examples: ['shop-1'] },
    params: { clientId },
    data: Trust,
    run: async ({ params }, { database }) => {
      const accountId = await requireAccountId(database, params.clientId)
      return { clientId: params.clientId, ...(await readAccountTrust(database, accountId)) }
    },
  }),
  defineOperation({
    id: 'setAccountTrust',
    method: 'patch',
    path: `${base}/trust`,
    tag: 'Rules',
    summary:
      'Change the trust settings of an account: kind, origin codes and sandbox; omitted settings are kept, and the change takes effect in all processes within two seconds',
    access: writeAccess('trust', 'required'),
    action: 'trust account set',
    command: {
      examples: ['reseller-1 --kind reseller --origin-codes 123456789 --reason "contract of 2026-11"'],
    },
    params: { clientId },
    body: Type.Partial(Type.Object(trustFields)).properties,
    data: Trust,
    run: ({ params, body }, { audit, services: { config } }) => {
      const change = requireChange(body, trustFields)
      const form = createOriginForm(config)
      const unknownCode = change.originCodes?.find((code) => !form.fits(code))
      if (unknownCode !== undefined)
        throw wrongField('originCodes', `must be ${form.description} each, not '${unknownCode}'`)
      return audit.change(async (transaction) => {
        const { id } = await lockAccount(transaction, params.clientId)
        const before = await readAccountTrust(transaction, id)
        const after = await changeAccountTrust(transaction, id, change)
        return [{ clientId: params.clientId, ...after }, toSubject(params.clientId, before, after)]
      })
    },
  }),
  defineOperation({
    id: 'showAccountAdvertising',
    method: 'get',
    path: `${base}/advertising`,
    tag: 'Rules',
    summary: 'Show the advertising settings of an account',
    access: readAccess(),
    action: 'trust advertising show',
    command: { examples: ['shop-1'] },
    params: { clientId },
    data: Advertising,
    run: async ({ params }, { database }) => {
      const accountId = await requireAccountId(database, params.clientId)
      return { clientId: params.clientId, ...(await readAccountAdvertising(database, accountId)) }
    },
  }),
  defineOperation({
    id: 'setAccountAdvertising',
    method: 'patch',
    path: `${base}/advertising`,
    tag: 'Rules',
    summary:
      'Change the advertising settings of an account; omitted settings are kept, and the change takes effect in all processes within two seconds',
    description:
      'The names and numbers are used by the rules advertisement-sender-name and advertisement-opt-out-registered.',
    access: writeAccess('trust', 'required'),
    action: 'trust advertising set',
    command: {
      examples: [
        'shop-1 --names "Shop,Shop Outlet" --opt-out-numbers 080-123-4567 --reason "application of 2026-11-02"',
      ],
    },
    params: { clientId },
    body: Type.Partial(Type.Object(advertisingFields)).properties,
    data: Advertising,
    run: ({ params, body }, { audit }) => {
      const { names, optOutNumbers, ...others } = requireChange(body, advertisingFields)
      const change = {
        ...others,
        ...(names && { names: names.map((name) => name.trim()) }),
        ...(optOutNumbers && { optOutNumbers: optOutNumbers.map(readOptOutNumber) }),
      }
      return audit.change(async (transaction) => {
        const { id } = await lockAccount(transaction, params.clientId)
        const before = await readAccountAdvertising(transaction, id)
        const after = await changeAccountAdvertising(transaction, id, change)
        return [{ clientId: params.clientId, ...after }, toSubject(params.clientId, before, after)]
      })
    },
  }),
]

const toSubject = (account: string, before: object, after: object) => ({
  target: account,
  account,
  details: diffFields(before, after),
})

/** Accepts hyphens and spaces, with which people write numbers. */
function readOptOutNumber(given: string): string {
  const number = stripNumber(given)
  if (/^080\d{7,8}$/.test(number)) return number
  throw wrongField('optOutNumbers', `must be 080 numbers, not '${number}'`)
}
