/**
 * Options of a route to the RCS relay of KT, which reaches all three carriers. The schema defines the type, the validation and
 * the documentation (docs/reference/connectors/maap-kt.md).
 */
import { Type, type Static } from 'typebox'
import {
  accountName,
  addressToken,
  closed,
  milliseconds,
  secret,
  text,
  tls,
  url,
} from '../options/options.ts'
import { agencyKey, brandKey, shared } from './fields.ts'

const expiry = (option: string, standard: 1 | 2, why: string) =>
  Type.Enum([1, 2], { description: `For ${option}. ${why}`, default: standard })

export const RelayOptions = Type.Object(
  {
    url: Type.String({
      ...url('Base URL of the relay for messages, tokens and files.'),
      default: 'https://agency.hermes.kt.com/corp/v1',
    }),
    queryUrl: Type.String({
      ...url('Base URL of the relay for polling results.'),
      default: 'https://query.hermes.kt.com/corp/v1',
    }),
    rcsId: accountName('RCS id, assigned by KT.', 20),
    rcsSecret: secret('Secret of the RCS id.', 255),
    tls,
    agencyId: accountName('Id of the agency for messages without one.', 20, 'ktbizrcs'),
    agencyKey,
    brandKey,
    cdrId: Type.Optional(accountName('The RCS id that is billed, if it differs.', 20)),
    imageTemplates: Type.Array(text('Id of a template.', 40), {
      description:
        'Issued templates that are image templates (RCSITMPL) although a message has no image. Other templates are RCSTMPL, or RCSITMPL if the message has an image.',
      maxItems: 10_000,
      default: [],
    }),
    expiryOptions: Type.Object(
      {
        '1': expiry(
          '24 hours',
          1,
          'With 1 the relay can attempt delivery for up to three days: the message can be delivered up to two days after its step has ended, in addition to its fallback. With 2 it ends after at most three minutes. Ask KT how long 1 lasts; the carriers end after one day.',
        ),
        '2': expiry(
          '40 seconds',
          2,
          'The relay attempts delivery for a time set by KT, up to three minutes.',
        ),
        '3': expiry('3 minutes 10 seconds', 2, ''),
        '4': expiry('1 hour', 2, 'With 1 the message can be delivered after its step has ended.'),
      },
      {
        ...closed,
        description:
          'The expiry option of the relay, which has two, for each of the four options of clients.',
        default: {},
      },
    ),
    results: Type.Enum(['webhook', 'polling'], {
      description: '`webhook`: the relay calls /inbound/<route>/<token>. `polling`: querymsgstatus.',
      default: 'webhook',
    }),
    webhookToken: Type.Optional(
      addressToken(
        'Last part of the URL that the relay calls, /inbound/<route>/<token>. Required with `webhook`. The relay does not sign its requests.',
      ),
    ),
    pollIntervalMs: milliseconds('Pause between queries while the relay has no more results.', 2_000, 10),
    ...shared,
  },
  { ...closed, description: 'Options of a link to the RCS relay of KT.' },
)
export type RelayOptions = Static<typeof RelayOptions>
