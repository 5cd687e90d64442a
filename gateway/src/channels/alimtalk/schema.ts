/** The two shapes of an alimtalk: the simple send, with its buttons next to the text, and the flow entry. */
import { Type, type Static } from 'typebox'
import { recipientField, refField } from '../fields.ts'
import { linkFields } from '../kakao/actions.ts'
import { senderKeyField } from '../kakao/bubble.ts'
import { buttonsField } from '../kakao/buttons.ts'
import { fallbackField } from '../kakao/fallback.ts'
import { profileLimits } from '../kakao/limits.ts'
import { QuickReply } from '../kakao/quick-replies.ts'
import { ttlField } from '../ttl.ts'
import { Highlight, Items } from './items.ts'
import { alimtalkLimits } from './limits.ts'

export const AlimtalkLink = Type.Object(
  {
    ...linkFields,
    urlMobile: Type.String({ minLength: 1, description: 'Address opened on a phone' }),
    urlPc: Type.String({ minLength: 1, description: 'Address opened on a computer' }),
  },
  { additionalProperties: false, description: 'Where a tap on the message leads' },
)

const buttons = buttonsField(`Buttons, at most ${alimtalkLimits.buttons.max}`)

const contentFields = {
  senderKey: senderKeyField,
  msgType: Type.Enum(['AT', 'AI'], { description: 'AT text, AI with the image of its template' }),
  templateCode: Type.String({
    minLength: 1,
    description: `Code of an approved template, at most ${profileLimits.templateCode} characters`,
  }),
  text: Type.String({
    minLength: 1,
    description: `Content, at most ${alimtalkLimits.text} characters; ${alimtalkLimits.textWithItems} beside an item list`,
  }),
  title: Type.Optional(Type.String({ description: `Title, at most ${alimtalkLimits.title} characters` })),
  header: Type.Optional(Type.String({ description: `Heading, at most ${alimtalkLimits.header} characters` })),
  link: Type.Optional(AlimtalkLink),
}

export const SimpleBody = Type.Object(
  { ...contentFields, to: recipientField, button: buttons, fallback: fallbackField, ref: refField },
  { additionalProperties: false },
)

export const FlowEntry = Type.Object(
  {
    ...contentFields,
    attachment: Type.Optional(
      Type.Object(
        { button: buttons, item: Type.Optional(Items), itemHighlight: Type.Optional(Highlight) },
        { additionalProperties: false, description: 'Buttons and item list' },
      ),
    ),
    supplement: Type.Optional(
      Type.Object(
        { quickReply: Type.Optional(Type.Array(QuickReply, { description: 'Quick replies, at most 5' })) },
        { additionalProperties: false, description: 'Quick replies' },
      ),
    ),
    price: Type.Optional(Type.String({ description: 'Amount named in the text, as digits' })),
    currencyType: Type.Optional(Type.Enum(['KRW', 'USD', 'EUR'], { description: 'Currency of price' })),
    ttl: ttlField,
  },
  { additionalProperties: false },
)

/** Either shape. */
export type Content = Static<typeof FlowEntry> & Pick<Static<typeof SimpleBody>, 'button'>
