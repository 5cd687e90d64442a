/**
 * The options of a route to the RCS relay of KT, which reaches all three carriers. The schema is the type, the check and
 * the page (docs/connectors/maap-kt.md).
 */
import { Type, type Static } from 'typebox'
import { accountName, addressToken, closed, milliseconds, secret, text, tls, url } from '../options.ts'
import { agencyKey, brandKey, shared } from './fields.ts'

const expiry = (option: string, standard: 1 | 2, why: string) =>
  Type.Enum([1, 2], { description: `For ${option}. ${why}`, default: standard })

export const RelayOptions = Type.Object(
  {
    url: Type.String({
      ...url('Address of the relay for messages, tokens and files.'),
      default: 'https://agency.hermes.kt.com/corp/v1',
    }),
    queryUrl: Type.String({
      ...url('Address of the relay for results by polling.'),
      default: 'https://query.hermes.kt.com/corp/v1',
    }),
    rcsId: accountName('RCS id, assigned by KT.', 20),
    rcsSecret: secret('Secret of the RCS id.', 255),
    tls,
    agencyId: accountName('Id of the agency, of messages that name none.', 20, 'ktbizrcs'),
    agencyKey,
    brandKey,
    cdrId: Type.Optional(accountName('The RCS id that is billed, if it is another one.', 20)),
    imageTemplates: Type.Array(text('Id of a template.', 40), {
      description:
        'Issued templates that are image templates (RCSITMPL) although a message names no image. Other templates are RCSTMPL, or RCSITMPL when the message has an image.',
      maxItems: 10_000,
      default: [],
    }),
    expiryOptions: Type.Object(
      {
        '1': expiry(
          '24 hours',
          1,
          'With 1 the relay may try for up to three days: the message may be delivered up to two days after its step has ended, beside its fallback. With 2 it ends after three minutes at most. Ask KT how long 1 lasts; the carriers end after one day.',
        ),
        '2': expiry('40 seconds', 2, 'The relay tries for the time that KT has set, up to three minutes.'),
        '3': expiry('3 minutes 10 seconds', 2, ''),
        '4': expiry('1 hour', 2, 'With 1 the message may be delivered after its step has ended.'),
      },
      {
        ...closed,
        description: 'The relay knows two expiry options; which one it gets for each of the client’s four.',
        default: {},
      },
    ),
    results: Type.Enum(['webhook', 'polling'], {
      description: '`webhook`: the relay calls /inbound/<route>/<token>. `polling`: querymsgstatus.',
      default: 'webhook',
    }),
    webhookToken: Type.Optional(
      addressToken(
        'Last part of the address that the relay calls, /inbound/<route>/<token>; required with `webhook`. The relay does not sign its requests.',
      ),
    ),
    pollIntervalMs: milliseconds('Pause after an answer when the relay has no more results.', 2_000, 10),
    ...shared,
  },
  { ...closed, description: 'Options of a link to the RCS relay of KT.' },
)
export type RelayOptions = Static<typeof RelayOptions>
