/**
 * Options of a route to the carriers (MaaP-FE API 1.2). The schema defines the type, the validation and the documentation
 * (docs/reference/connectors/maap.md).
 */
import { Type, type Static } from 'typebox'
import type { MobileCarrier } from '../../../channels/mobile-carriers.ts'
import { accountName, addressToken, closed, secret, tls, url } from '../options/options.ts'
import { agencyKey, brandKey, shared } from './fields.ts'

/** Carrier names in lower case, as the carriers use them, with their codes in reports. */
export const carrierCodes = { skt: '10001', kt: '10002', lgu: '10003' } as const satisfies Readonly<
  Record<string, MobileCarrier>
>
export type CarrierName = keyof typeof carrierCodes
export const maapCarrierNames = Object.keys(carrierCodes) as readonly CarrierName[]

const host = (name: string) =>
  Type.Optional(
    Type.Object(
      {
        url: url(`Base URL of ${name} with the version: \`https://<host>/ag/1.2\`.`),
        clientId: accountName(
          'Client id. Each client id has a priority and a rate: use a route for each.',
          20,
        ),
        clientSecret: secret('Client secret.', 255),
        tls,
      },
      { ...closed, description: `The host of ${name}. If unset, no message is sent to it.` },
    ),
  )

export const MaapOptions = Type.Object(
  {
    carriers: Type.Object(
      { skt: host('SKT'), kt: host('KT'), lgu: host('LGU+') },
      { ...closed, description: 'The hosts, at least one. A number belongs to one of the three.' },
    ),
    order: Type.Array(Type.Enum([...maapCarrierNames], { description: 'A carrier.' }), {
      description:
        'Order of the hosts for a number whose carrier is not known yet. If a host responds that the number is not its own (54001), the next one gets the message.',
      maxItems: 3,
      default: [...maapCarrierNames],
    }),
    portability: Type.Enum(['answer', 'status'], {
      description:
        'How a carrier reports that a number is not its own. `answer`: in the response to the submission, so that the next carrier is tried immediately. `status`: later; the step then ends as no-subscriber, and a host that is down is not skipped.',
      default: 'answer',
    }),
    agencyId: accountName('Id of the agency for messages without one.', 20),
    agencyKey,
    brandKey,
    productCode: Type.Boolean({
      description:
        'Send productCode (sms, lms or mms) with formats that all brands share. For templates, only the carrier knows it.',
      default: true,
    }),
    fileMessagebaseId: Type.Boolean({
      description:
        'Send messagebaseId with an uploaded file, as the API requires since 1.1.9. A file is then uploaded once for each format.',
      default: true,
    }),
    webhookToken: addressToken(
      'Token in the URLs that the carriers call: /inbound/<route>/<token>, with or without /SKT, /KT or /LGU. The carriers do not sign their requests.',
    ),
    ...shared,
  },
  { ...closed, description: 'Options of a link to the RCS carriers.' },
)
export type MaapOptions = Static<typeof MaapOptions>
