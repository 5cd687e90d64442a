/** Options of an SMPP route for the fields of a submission: addresses, alphabets, optional parameters. */
import { Type } from 'typebox'
import { closed, integer } from '../options/options.ts'
import { numberFormats } from '../phone-number.ts'
import { defaultAlphabets } from '../../smpp/alphabets.ts'
import { longMessageForms } from '../../smpp/concatenation.ts'

const ton = (subject: string, defaultValue: number) =>
  integer(
    `Type of number of ${subject}: 0 unknown, 1 international, 2 national, 3 network, 5 alphanumeric.`,
    defaultValue,
    0,
    255,
  )
const npi = (subject: string, defaultValue: number) =>
  integer(`Numbering plan of ${subject}: 0 unknown, 1 ISDN (E.164).`, defaultValue, 0, 255)

export const addressType = (subject: string, defaultTon: number, defaultNpi: number) =>
  Type.Object(
    { ton: ton(subject, defaultTon), npi: npi(subject, defaultNpi) },
    { ...closed, description: `Type of number and numbering plan of ${subject}.`, default: {} },
  )

const addressRule = Type.Object(
  {
    of: Type.Enum(['both', 'source', 'destination'], {
      description: 'The address that the rule applies to.',
      default: 'both',
    }),
    kind: Type.Enum(['any', 'domestic', 'international', 'text'], {
      description:
        'Form of the address: digits, digits after a plus sign, or a text sender id. any: all forms.',
      default: 'any',
    }),
    prefix: Type.String({
      description: 'First characters of the address, including a plus sign.',
      maxLength: 20,
      default: '',
    }),
    minLength: integer('Minimum length of the address in characters, including a plus sign.', 1, 1, 21),
    maxLength: integer('Maximum length of the address in characters.', 21, 1, 21),
    ton: ton('such an address', 0),
    npi: npi('such an address', 0),
    format: Type.Enum(['as-given', ...numberFormats], {
      description:
        'Format of the address. as-given: as submitted, without a plus sign; domestic: as dialled in the country of countryCode; international: with the country code, without a plus sign; e164: with the country code and a plus sign.',
      default: 'as-given',
    }),
  },
  { ...closed, default: {} },
)

export const addressRules = Type.Array(addressRule, {
  description:
    'Types of number by the form of an address; the first matching rule applies. Without a match, international numbers have ton 1 and npi 1, text sender ids have ton 5 and npi 0, and other addresses have the values of source and destination.',
  maxItems: 50,
  default: [],
})

const coding = (subject: string, defaultValue: number) =>
  integer(`data_coding of ${subject}.`, defaultValue, 0, 255)

export const dataCoding = Type.Object(
  {
    gsm7: coding('text in the GSM 7-bit alphabet', 0),
    ucs2: coding('text in UCS-2', 8),
    cp949: coding('Korean text in EUC-KR (CP949)', 14),
    latin1: Type.Optional(
      Type.Integer({
        description:
          'data_coding of text in Latin-1, usually 3. If set, a text with characters in Latin-1 but not in GSM 7-bit is sent in Latin-1 instead of UCS-2. Splitting and counting do not change.',
        minimum: 0,
        maximum: 255,
      }),
    ),
  },
  { ...closed, description: 'The data_coding of each alphabet.', default: {} },
)

export const defaultAlphabet = Type.Enum([...defaultAlphabets], {
  description:
    'Encoding of text in the GSM 7-bit alphabet (data_coding 0, the default alphabet of the SMSC), as specified by the carrier: GSM 03.38 with one septet per octet or packed, Latin-1, or ASCII. A text with a character that Latin-1 or ASCII lacks is refused as unsupported.',
  default: 'gsm7',
})

export const longMessages = Type.Enum([...longMessageForms], {
  description:
    'How a text of several parts is sent. udh8: with a user data header and an 8-bit reference in each part; every carrier supports it. udh16: with a 16-bit reference, which makes each part one character shorter; a text that would then need another part has an 8-bit reference. sar: with the parameters sar_msg_ref_num, sar_total_segments and sar_segment_seqnum. payload: one submission with the whole text in message_payload, which the carrier splits; it has one response and one receipt.',
  default: 'udh8',
})

const value = (description: string) =>
  Type.String({ description, maxLength: 200, pattern: '^[\\x20-\\x7E]*$' })

const parameter = Type.Object(
  {
    tag: Type.Integer({
      description: 'Tag as a decimal number: 5120 is 0x1400.',
      minimum: 1,
      maximum: 65_535,
    }),
    type: Type.Enum(['c-string', 'text', 'hex', 'u8', 'u16', 'u32'], {
      description:
        'Encoding of the value: a string with a final NUL (c-string) or without (text), hexadecimal octets, or an integer of 8, 16 or 32 bits.',
      default: 'c-string',
    }),
    value: Type.Optional(value('Default value.')),
    bySender: Type.Record(Type.String({ maxLength: 20 }), value('Value for the sender.'), {
      description: 'Value for each sender: { "ACMEIN": "1201159…" }.',
      default: {},
    }),
    byText: Type.Array(
      Type.Object(
        {
          text: Type.String({
            description: 'Registered text; {#var#} matches up to 30 characters.',
            minLength: 1,
            maxLength: 2_000,
          }),
          value: value('Value for matching texts.'),
        },
        closed,
      ),
      {
        description:
          'Value for texts of registered templates; the first template that matches the whole text applies.',
        maxItems: 1_000,
        default: [],
      },
    ),
    required: Type.Boolean({
      description:
        'Refuse a message without a value for the parameter as unsupported, instead of omitting the parameter.',
      default: false,
    }),
  },
  { ...closed, default: {} },
)

export const parameters = Type.Array(parameter, {
  description:
    'Optional parameters (TLVs) of every submission. For India: the entity id (by sender) and the template id (by text) that DLT requires, in the tags that the carrier assigned.',
  maxItems: 16,
  default: [],
})
