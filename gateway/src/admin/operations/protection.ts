/** What protects an account against abuse of its credentials: countries, velocity, links, caps. */
import { Type } from 'typebox'
import { changeCaps } from '../../acts/caps.ts'
import { asField } from '../../acts/names.ts'
import {
  changeProtection,
  maxCountries,
  maxDomains,
  maxPerTime,
  maxSafeNumbers,
  readProtectionChange,
  showProtection,
  withUse,
  type ShownProtection,
} from '../../acts/protection.ts'
import { linkChoices, periods, reactions } from '../../trust/abuse/protection-choices.ts'
import { clientId, flag, list, nullable, oneOf, record, text, whole } from '../fields.ts'
import { changes, defineOperation, looks } from '../operation.ts'

const base = '/admin/v1/accounts/{clientId}'
const maxCap = 1_000_000_000

const perTime = (description: string) =>
  nullable(whole(`${description}; null: that of the rule`, { minimum: 1, maximum: maxPerTime }))
const bounded = (item: ReturnType<typeof text>, maxItems: number, description: string) =>
  Type.Array(item, { maxItems, description })

const protectionFields = {
  countries: bounded(
    text('ISO code such as DE; *: all countries', { minLength: 1, maxLength: 3 }),
    maxCountries,
    'Where it may send international messages to',
  ),
  onSuspicion: oneOf(reactions, 'What becomes of a suspicious message'),
  recipientPerHour: perTime('Messages to one number in an hour'),
  prefixPer10Minutes: perTime('Messages in ten minutes to numbers that differ in the last three digits'),
  links: oneOf(linkChoices, 'Which links its texts may have'),
  linkDomains: bounded(
    text('A domain such as shop.kr', { minLength: 1, maxLength: 253 }),
    maxDomains,
    'Domains whose links pass, with all under them',
  ),
  safeNumbers: bounded(
    text('A number or a prefix such as +4915; masked in answers, unless it is revealed', {
      ...{ minLength: 3, maxLength: 16 },
    }),
    maxSafeNumbers,
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
  nullable(whole('Messages at most; null removes the cap', { minimum: 0, maximum: maxCap })),
)

const toShown = (id: string, { countries, linkDomains, safeNumbers, caps, ...others }: ShownProtection) => ({
  ...{ ...others, clientId: id, countries: [...countries], linkDomains: [...linkDomains] },
  ...{ safeNumbers: [...safeNumbers], caps: [...caps] },
})

export const protectionOperations = [
  defineOperation({
    id: 'showProtection',
    method: 'get',
    path: `${base}/protection`,
    tag: 'Rules',
    summary: 'Show what protects an account against abuse, and what is used of its caps',
    access: looks(),
    action: 'protection show',
    params: { clientId },
    query: {
      reveal: Type.Optional(
        flag(
          'true: show whole numbers that are exempt; needs the right _reveal_ and a reason, and is recorded',
        ),
      ),
    },
    data: Protection,
    run: async ({ params, query: { reveal = false } }, { database, audit, services: { config } }) => {
      const { timeZone } = config
      return toShown(
        params.clientId,
        await showProtection(database, audit, params.clientId, { timeZone, reveal }),
      )
    },
  }),
  defineOperation({
    id: 'setProtection',
    method: 'patch',
    path: `${base}/protection`,
    tag: 'Rules',
    summary:
      'Change what protects an account against abuse; what is left out stays, and running processes follow within two seconds',
    access: changes('trust', 'required'),
    action: 'protection set',
    // The longest lists that are allowed have about 72 KB.
    maxBodyBytes: 128 * 1024,
    params: { clientId },
    body: Type.Partial(Type.Object(protectionFields)).properties,
    data: Protection,
    run: async ({ params, body }, { database, audit, services: { config } }) => {
      const change = readProtectionChange(body, asField)
      const after = await changeProtection(audit, params.clientId, change)
      return toShown(params.clientId, await withUse(database, params.clientId, after, config.timeZone))
    },
  }),
  defineOperation({
    id: 'setAccountCap',
    method: 'post',
    path: `${base}/cap`,
    tag: 'Rules',
    summary:
      'Set or remove the caps of a class; what is left out stays, and running processes follow within two seconds',
    access: changes('trust', 'required'),
    action: 'protection cap',
    params: { clientId },
    body: {
      class: text('all, a channel, or the ISO code of a country', { minLength: 1, maxLength: 20 }),
      day: cap,
      month: cap,
    },
    data: Protection,
    run: async ({ params, body: { class: name, ...change } }, { database, audit, services: { config } }) => {
      const after = await changeCaps(audit, params.clientId, name, change)
      return toShown(params.clientId, await withUse(database, params.clientId, after, config.timeZone))
    },
  }),
]
