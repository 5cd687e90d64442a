/**
 * The options of a route to the carriers themselves (MaaP-FE API 1.2). The schema is the type, the check and the page
 * (docs/connectors/maap.md).
 */
import { Type, type Static } from 'typebox'
import type { MobileCarrier } from '../../channels/mobile-carriers.ts'
import { accountName, addressToken, closed, secret, tls, url } from '../options.ts'
import { agencyKey, brandKey, shared } from './fields.ts'

/** As the carriers name themselves, in lower case, with their codes in reports. */
export const carrierCodes = { skt: '10001', kt: '10002', lgu: '10003' } as const satisfies Readonly<
  Record<string, MobileCarrier>
>
export type CarrierName = keyof typeof carrierCodes
export const carrierNames = Object.keys(carrierCodes) as readonly CarrierName[]

const host = (name: string) =>
  Type.Optional(
    Type.Object(
      {
        url: url(`Address of ${name}, with the version: \`https://<host>/ag/1.2\`.`),
        clientId: accountName('Client id. Each has its own priority and rate: use a route for each.', 20),
        clientSecret: secret('Client secret.', 255),
        tls,
      },
      { ...closed, description: `The host of ${name}. Left out: no message is sent to it.` },
    ),
  )

export const MaapOptions = Type.Object(
  {
    carriers: Type.Object(
      { skt: host('SKT'), kt: host('KT'), lgu: host('LGU+') },
      { ...closed, description: 'The hosts, at least one. A number belongs to one of the three.' },
    ),
    order: Type.Array(Type.Enum([...carrierNames], { description: 'A carrier.' }), {
      description:
        'Which host gets a message first whose number is not known yet. When it answers that the number is not its own (54001), the next one gets it.',
      maxItems: 3,
      default: [...carrierNames],
    }),
    portability: Type.Enum(['answer', 'status'], {
      description:
        'How a carrier says that a number is not its own: in the `answer` to the submission, so that the next carrier is tried at once; or later by `status`. Then the step ends as no-subscriber, and a host that is down is not passed over.',
      default: 'answer',
    }),
    agencyId: accountName('Id of the agency, of messages that name none.', 20),
    agencyKey,
    brandKey,
    productCode: Type.Boolean({
      description:
        'Send productCode (sms, lms or mms) with formats that all brands share. Of a template only the carrier knows it.',
      default: true,
    }),
    fileMessagebaseId: Type.Boolean({
      description:
        'Send messagebaseId with an uploaded file, as the API does since 1.1.9: a file is then uploaded once for each format.',
      default: true,
    }),
    webhookToken: addressToken(
      'Second last or last part of the addresses that the carriers call: /inbound/<route>/<token>, also with /SKT, /KT or /LGU after it. The carriers do not sign their requests.',
    ),
    ...shared,
  },
  { ...closed, description: 'Options of a link to the RCS carriers.' },
)
export type MaapOptions = Static<typeof MaapOptions>
