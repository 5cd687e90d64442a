/** Groups of options of an SMPP route that decide the fields of a submission: addresses, alphabets, optional parameters. */
import { Type } from 'typebox'
import { closed, integer } from '../options.ts'
import { numberFormats } from '../phone-number.ts'
import { defaultAlphabets } from '../../smpp/alphabets.ts'
import { longMessageForms } from '../../smpp/concatenation.ts'

/** What SMSCs mean by data_coding 0. */

const ton = (what: string, standard: number) =>
  integer(
    `Type of number of ${what}: 0 unknown, 1 international, 2 national, 3 network, 5 alphanumeric.`,
    standard,
    0,
    255,
  )
const npi = (what: string, standard: number) =>
  integer(`Numbering plan of ${what}: 0 unknown, 1 ISDN (E.164).`, standard, 0, 255)

export const addressKind = (what: string, standardTon: number, standardNpi: number) =>
  Type.Object(
    { ton: ton(what, standardTon), npi: npi(what, standardNpi) },
    { ...closed, description: `Type of number and numbering plan of ${what}.`, default: {} },
  )

const addressRule = Type.Object(
  {
    of: Type.Enum(['both', 'source', 'destination'], {
      description: 'Which address it is for.',
      default: 'both',
    }),
    kind: Type.Enum(['any', 'domestic', 'international', 'text'], {
      description:
        'Form of the address: digits, digits after a plus sign, or a text sender id; any: all of them.',
      default: 'any',
    }),
    prefix: Type.String({
      description: 'First characters of the address, a plus sign included.',
      maxLength: 20,
      default: '',
    }),
    minLength: integer('Shortest address in characters, a plus sign included.', 1, 1, 21),
    maxLength: integer('Longest address in characters.', 21, 1, 21),
    ton: ton('such an address', 0),
    npi: npi('such an address', 0),
    format: Type.Enum(['as-given', ...numberFormats], {
      description:
        'How it is written: as-given and international without a plus sign, e164 with one, domestic in the form of countryCode.',
      default: 'as-given',
    }),
  },
  { ...closed, default: {} },
)

export const addressRules = Type.Array(addressRule, {
  description:
    'Types of number by the form of an address; the first rule that applies counts. Without one: international numbers have 1/1, text sender ids 5/0, others source and destination.',
  maxItems: 50,
  default: [],
})

const coding = (what: string, standard: number) => integer(`data_coding of ${what}.`, standard, 0, 255)

export const dataCoding = Type.Object(
  {
    gsm7: coding('text in the GSM 7-bit alphabet', 0),
    ucs2: coding('text in UCS-2', 8),
    cp949: coding('Korean text in EUC-KR (CP949)', 14),
    latin1: Type.Optional(
      Type.Integer({
        description:
          'data_coding of text in Latin-1, usually 3. With it, a text that the GSM alphabet lacks characters of and Latin-1 does not is sent in Latin-1 instead of UCS-2; it is split and counted as before.',
        minimum: 0,
        maximum: 255,
      }),
    ),
  },
  { ...closed, description: 'The data_coding of each alphabet.', default: {} },
)

export const defaultAlphabet = Type.Enum([...defaultAlphabets], {
  description:
    'The octets of text in the GSM 7-bit alphabet (data_coding 0, the default alphabet of the SMSC): those of GSM 03.38, one septet in each octet or packed, Latin-1 or ASCII, as the carrier says. A text with a character that Latin-1 or ASCII does not have is refused as unsupported.',
  default: 'gsm7',
})

export const longMessages = Type.Enum([...longMessageForms], {
  description:
    'How a text of several parts is sent. udh8: a header with a reference of 8 bits in front of each part, which every carrier takes. udh16: one of 16 bits, or of 8 bits for a text that would need a further part: its parts are one character shorter. sar: the parameters sar_msg_ref_num, sar_total_segments and sar_segment_seqnum. payload: one submission with all of the text in message_payload, which the carrier splits; it has one answer and one receipt.',
  default: 'udh8',
})

const value = (description: string) =>
  Type.String({ description, maxLength: 200, pattern: '^[\\x20-\\x7E]*$' })

const parameter = Type.Object(
  {
    tag: Type.Integer({
      description: 'Tag as a number: 5120 is 0x1400.',
      minimum: 1,
      maximum: 65_535,
    }),
    type: Type.Enum(['c-string', 'text', 'hex', 'u8', 'u16', 'u32'], {
      description:
        'How the value is written: with or without a final NUL, as the octets of hexadecimal digits, or as a number of 8, 16 or 32 bits.',
      default: 'c-string',
    }),
    value: Type.Optional(value('Value where no other applies.')),
    bySender: Type.Record(Type.String({ maxLength: 20 }), value('Value for the sender.'), {
      description: 'Value for each sender: { "ACMEIN": "1201159…" }.',
      default: {},
    }),
    byText: Type.Array(
      Type.Object(
        {
          text: Type.String({
            description: 'Registered text; {#var#} stands for up to 30 characters.',
            minLength: 1,
            maxLength: 2_000,
          }),
          value: value('Value for such texts.'),
        },
        closed,
      ),
      {
        description: 'Value for texts of registered templates; the first that fits the whole text counts.',
        maxItems: 1_000,
        default: [],
      },
    ),
    required: Type.Boolean({
      description: 'Refuse a message that has no value for it as unsupported, instead of sending it without.',
      default: false,
    }),
  },
  { ...closed, default: {} },
)

export const parameters = Type.Array(parameter, {
  description:
    'Optional parameters (TLVs) of every submission. For India: the ids of the entity (by sender) and of the template (by text) that DLT demands, in the tags that the carrier assigned.',
  maxItems: 16,
  default: [],
})
