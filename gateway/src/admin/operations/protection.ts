/** What protects an account against abuse of its credentials: countries, velocity, links, caps. */
import { Type } from 'typebox'
import { changeCaps } from '../../acts/caps.ts'
import { changeProtection, showProtection } from '../../acts/protection.ts'
import { linkChoices, periods, reactions } from '../../trust/abuse/protection-choices.ts'
import { clientId, flag, list, nullable, oneOf, record, text, whole } from '../fields.ts'
import { changes, defineOperation, looks } from '../operation.ts'
import { requireChange } from '../require-change.ts'

const base = '/admin/v1/accounts/{clientId}'

const perTime = (description: string) =>
  nullable(whole(`${description}; null: that of the rule`, { minimum: 1, maximum: 1_000_000 }))
/** Processes keep these lists in memory. */
const bounded = (item: ReturnType<typeof text>, maxItems: number, description: string) =>
  Type.Array(item, { maxItems, description })

const protectionFields = {
  countries: bounded(
    text('ISO code such as DE; *: all countries', { minLength: 1, maxLength: 3 }),
    300,
    'ISO codes of the countries that it may send international messages to, or "all"',
  ),
  onSuspicion: oneOf(reactions, 'What becomes of a suspicious message'),
  recipientPerHour: perTime('Messages to one number in an hour'),
  prefixPer10Minutes: perTime('Messages in ten minutes to numbers that differ in the last three digits'),
  links: oneOf(linkChoices, 'Which links its texts may have'),
  linkDomains: bounded(
    text('A domain such as shop.kr', { minLength: 1, maxLength: 253 }),
    200,
    'Domains whose links pass, with all under them',
  ),
  safeNumbers: bounded(
    text('A number or a prefix such as +4915; masked in answers, unless it is revealed', {
      minLength: 3,
      maxLength: 16,
    }),
    1_000,
    'Numbers and prefixes that velocity does not concern',
  ),
}

export const Cap = record(
  {
    class: text('all, a channel, or the ISO code of a country'),
    period: oneOf(periods, 'Of a day, or of a month'),
    max: whole('Messages at most; parts of international messages'),
    used: whole('Used in this day or month, with what processes have reserved'),
  },
  'A cap',
  { title: 'Cap' },
)

const Protection = record(
  { clientId, ...protectionFields, caps: list(Cap, 'Caps by day and month') },
  'What protects an account against abuse',
  { title: 'AccountProtection' },
)

const cap = Type.Optional(
  nullable(whole('Messages at most; null removes the cap', { minimum: 0, maximum: 1_000_000_000 })),
)

export const protectionOperations = [
  defineOperation({
    id: 'showProtection',
    method: 'get',
    path: `${base}/protection`,
    tag: 'Rules',
    summary: 'Show what protects an account against abuse, and what is used of its caps',
    access: looks(),
    action: 'protection show',
    command: { examples: ['shop-1'] },
    params: { clientId },
    query: {
      reveal: Type.Optional(
        flag(
          'true: show whole numbers that are exempt; needs the right _reveal_ and a reason, and is recorded',
        ),
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
      'Change what protects an account against abuse; what is left out stays, and running processes follow within two seconds',
    description:
      'The rules that use it are those of `listRules`; velocity is off until its rules are turned on.',
    access: changes('trust', 'required'),
    action: 'protection set',
    command: {
      examples: [
        'shop-1 --countries DE,JP --on-suspicion hold --reason "new branch offices"',
        'shop-1 --links listed --link-domains shop.kr --reason "asked by the customer"',
      ],
    },
    // The longest lists that are allowed have about 72 KB.
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
      'Set or remove the caps of a class; what is left out stays, and running processes follow within two seconds',
    description:
      'A message counts once for _all_ and once for every channel of its flow; international messages count by the part. Days and months are those of POSTERN_TIME_ZONE.',
    access: changes('trust', 'required'),
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
        text('all, a channel, or the ISO code of a country; all when it is left out', {
          minLength: 1,
          maxLength: 20,
        }),
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
