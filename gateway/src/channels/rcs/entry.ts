/**
 * The two shapes of an RCS message, with the result codes of their fields: the body of the simple send, and the object
 * under `rcs` in an omni flow or a form.
 */
import { Type, type Static } from 'typebox'
import type { FieldCodes } from '../../contract/result-codes.ts'
import { numberField, recipientField, refField } from '../fields.ts'
import { ttlField } from '../ttl.ts'
import { RcsFallback } from './fallback.ts'
import { defaultExpiryOption, expirySeconds, maxFooterLength, type ExpiryOption } from './limits.ts'
import { RcsBody, CardButtons, RcsContent } from './schema.ts'

const identifier = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

const brandKey = identifier(64, 'RCS brand key')

const shared = {
  from: numberField('Sender number, digits only'),
  formatId: identifier(40, 'RCS message format ID, or an issued template ID'),
  content: Type.Optional(RcsContent),
  body: Type.Optional(RcsBody),
  buttons: Type.Optional(
    Type.Array(CardButtons, { description: 'Carrier-standard buttons, only with body' }),
  ),
  brandId: Type.Optional(identifier(64, 'RCS brand ID')),
  expiryOption: Type.Optional(
    Type.Enum(Object.keys(expirySeconds) as ExpiryOption[], {
      description: 'Send time-out: 1 = 24 hours, 2 = 40 seconds, 3 = 3 minutes 10 seconds, 4 = 1 hour',
      default: defaultExpiryOption,
    }),
  ),
  header: Type.Optional(
    Type.Enum(['0', '1'], {
      description: 'Show the advertisement mark: 0 = hidden, 1 = shown, and then footer must be given',
      default: '0',
    }),
  ),
  footer: Type.Optional(
    Type.String({ description: `Opt-out number shown at the bottom, at most ${maxFooterLength} characters` }),
  ),
}

export const SimpleBody = Type.Object(
  { ...shared, to: recipientField, brandKey, ref: refField, fallback: Type.Optional(RcsFallback) },
  { additionalProperties: false, description: 'One RCS message; one of content and body is needed' },
)

export const FlowEntry = Type.Object(
  {
    ...shared,
    // Optional because stored forms have none; the brand of the route to the carrier then applies.
    brandKey: Type.Optional(brandKey),
    groupId: Type.Optional(identifier(20, 'Group of messages, for statistics')),
    copyAllowed: Type.Optional(
      Type.Enum(['0', '1'], {
        description: 'Whether the recipient may copy the message: 0 = no, 1 = yes',
        default: '0',
      }),
    ),
    agencyId: Type.Optional(identifier(20, "Agency ID; the operator's own when absent")),
    agencyKey: Type.Optional(identifier(64, 'Agency key')),
    ttl: ttlField,
  },
  { additionalProperties: false, description: 'An RCS message; one of content and body is needed' },
)

export type SimpleBody = Static<typeof SimpleBody>
/** The content of a step; also accepts the body of a simple send. */
export type Entry = Static<typeof FlowEntry>

export const fieldCodes: FieldCodes = {
  from: 'A302',
  to: 'A306',
  ref: 'A305',
  formatId: 'A404',
  content: 'A415',
  carousel: 'A417',
  subContent: 'A424',
  button: 'A406',
  'button.type': 'A426',
  'button.name': 'A427',
  body: 'A425',
  buttons: 'A425',
  brandKey: 'A420',
  brandId: 'A419',
  groupId: 'A409',
  expiryOption: 'A408',
  copyAllowed: 'A407',
  header: 'A411',
  footer: 'A412',
  agencyId: 'A413',
  agencyKey: 'A418',
  fallback: 'A300',
  'fallback.type': 'A312',
  'fallback.text': 'A314',
  'fallback.fileKey': 'A317',
  'fallback.from': 'A302',
}
