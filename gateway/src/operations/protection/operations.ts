import { Type } from 'typebox'
import { changeCaps } from '../caps/caps.ts'
import { changeProtection, showProtection } from './protection.ts'
import { linkChoices, periods, reactions } from '../../trust/abuse/protection-choices.ts'
import { clientId, flag, list, nullable, oneOf, record, text, whole } from '../fields.ts'
import { writeAccess, defineOperation, personalDataAccess } from '../operation.ts'
import { requireChange } from '../require-change.ts'

const base = '/admin/v1/accounts/{clientId}'

const perTime = (description: string) =>
  nullable(whole(`${description}; null means the value of the rule`, { minimum: 1, maximum: 1_000_000 }))
/** Limited because processes keep these lists in memory. */
const bounded = (item: ReturnType<typeof text>, maxItems: number, description: string) =>
  Type.Array(item, { maxItems, description })

const protectionFields = {
  countries: bounded(
    text('ISO code such as DE; "all" or * means all countries and is shown as *', {
      minLength: 1,
      maxLength: 3,
    }),
    300,
    'ISO codes of the countries to which it can send international messages, or "all" or *; a new list replaces the old one',
  ),
  onSuspicion: oneOf(reactions, 'What happens to suspicious messages'),
  recipientPerHour: perTime('Messages to one number in an hour'),
  prefixPer10Minutes: perTime('Messages in ten minutes to numbers that differ in the last three digits'),
  links: oneOf(linkChoices, 'Which links are allowed in its texts'),
  linkDomains: bounded(
    text('A domain such as shop.kr', { minLength: 1, maxLength: 253 }),
    200,
    'Allowed link domains, including subdomains',
  ),
  safeNumbers: bounded(
    text('A number or a prefix such as +4915; masked in responses unless revealed', {
      minLength: 3,
      maxLength: 16,
    }),
    1_000,
    'Numbers and prefixes exempt from velocity rules',
  ),
}

export const Cap = record(
  {
    class: text('all, a channel, or the ISO code of a country'),
    period: oneOf(periods, 'Day or month'),
    max: whole('Maximum messages; for international messages, maximum parts'),
    used: whole('Messages used in this day or month, including those reserved by processes'),
  },
  'A cap',
  { title: 'Cap' },
)

const Protection = record(
  { clientId, ...protectionFields, caps: list(Cap, 'Caps by day and month') },
  'Protection of an account against abuse',
  { title: 'AccountProtection' },
)

const cap = Type.Optional(
  nullable(whole('Maximum messages; null removes the cap', { minimum: 0, maximum: 1_000_000_000 })),
)

export const protectionOperations = [
  defineOperation({
    id: 'showProtection',
    method: 'get',
    path: `${base}/protection`,
    tag: 'Rules',
    summary: 'Show the abuse protection of an account and the use of its caps',
    access: personalDataAccess(),
    action: 'protection show',
    command: { examples: ['shop-1'] },
    params: { clientId },
    query: {
      reveal: Type.Optional(
        flag('Show exempt numbers unmasked; requires the right _reveal_ and a reason, and is recorded'),
      ),
    },
    data: Protection,
    run: ({ params, query: { reveal = false } }, { database, audit, services: { config } }) =>
      showProtection(database, params.clientId, config.timeZone, reveal ? audit : null),
  }),
  defineOperation({
    id: 'setProtection',
    method: 'patch',
    path: `${base}/protection`,
    tag: 'Rules',
    summary:
      'Change the abuse protection of an account; omitted settings are kept, and the change takes effect in all processes within two seconds',
    description:
      'The list of rules includes those that use these settings; velocity is off until its rules are turned on.',
    access: writeAccess('trust', 'required'),
    action: 'protection set',
    command: {
      examples: [
        'shop-1 --countries DE,JP --on-suspicion hold --reason "new branch offices"',
        'shop-1 --links listed --link-domains shop.kr --reason "asked by the customer"',
      ],
    },
    // The longest allowed lists have about 72 KB.
    maxBodyBytes: 128 * 1024,
    params: { clientId },
    body: Type.Partial(Type.Object(protectionFields)).properties,
    data: Protection,
    run: async ({ params, body }, { database, audit, services: { config } }) => {
      await changeProtection(audit, params.clientId, requireChange(body, protectionFields))
      return showProtection(database, params.clientId, config.timeZone)
    },
  }),
  defineOperation({
    id: 'setAccountCap',
    method: 'post',
    path: `${base}/cap`,
    tag: 'Rules',
    summary:
      'Set or remove the caps of a class; omitted periods are kept, and the change takes effect in all processes within two seconds',
    description:
      'A message counts once for _all_ and once for every channel of its flow; international messages count by the part. Days and months are those of POSTERN_TIME_ZONE.',
    access: writeAccess('trust', 'required'),
    action: 'protection cap',
    command: {
      examples: [
        'shop-1 --day 100000 --month 1000000 --reason contract',
        'shop-1 --day 500 --class US --reason contract',
        'shop-1 --day none --class US --reason "prepaid"',
      ],
    },
    params: { clientId },
    body: {
      class: Type.Optional(
        text('all, a channel, or the ISO code of a country; all if omitted', { minLength: 1, maxLength: 20 }),
      ),
      day: cap,
      month: cap,
    },
    data: Protection,
    run: async ({ params, body }, { database, audit, services: { config } }) => {
      const { class: name = 'all', ...change } = body
      await changeCaps(audit, params.clientId, name, change)
      return showProtection(database, params.clientId, config.timeZone)
    },
  }),
]
