/** The two shapes of a brand message: the simple send, and the flow entry with every part of a bubble. */
import { Type, type Static, type TObject } from 'typebox'
import { recipientField, originCidField, refField } from '../fields.ts'
import { bubbleFields, imgUrlField, type BubbleContent } from '../kakao/bubble.ts'
import { buttonsField } from '../kakao/buttons.ts'
import { fallbackField } from '../kakao/fallback.ts'
import { profileLimits } from '../kakao/limits.ts'
import { brandLimits } from './limits.ts'
import { variableFields } from './variables.ts'

const brandFields = {
  sendType: Type.Enum(['basic', 'free'], {
    description: 'basic: a registered template and its variables; free: the content is given here',
  }),
  targeting: Type.Optional(
    Type.Enum(['M', 'N', 'I'], {
      description:
        'M: recipients who agreed to advertisements; N: those of them who are not friends; I: friends. Needed for basic',
    }),
  ),
  templateCode: Type.Optional(
    Type.String({
      description: `Code of a template, at most ${profileLimits.templateCode} characters; needed for basic`,
    }),
  ),
  ...variableFields,
  originCID: originCidField,
  unsubscribePhoneNumber: Type.Optional(
    Type.String({
      description: `Free opt-out number, at most ${brandLimits.unsubscribePhoneNumber} digits and hyphens`,
    }),
  ),
  unsubscribeAuthNumber: Type.Optional(
    Type.String({ description: `Opt-out code, at most ${brandLimits.unsubscribeAuthNumber} characters` }),
  ),
}

export const SimpleBody = Type.Object(
  {
    senderKey: bubbleFields.senderKey,
    msgType: bubbleFields.msgType,
    to: recipientField,
    text: bubbleFields.text,
    imgUrl: imgUrlField,
    button: buttonsField('Buttons, at most 5 with FT and FI, 2 with FW, FL and FM, 1 with FP'),
    adult: bubbleFields.adult,
    pushAlarm: bubbleFields.pushAlarm,
    groupTagKey: bubbleFields.groupTagKey,
    ...brandFields,
    fallback: fallbackField,
    ref: refField,
  },
  { additionalProperties: false },
)

export const FlowEntry = Type.Object({ ...bubbleFields, ...brandFields }, { additionalProperties: false })

export type Content = BubbleContent & Static<TObject<typeof brandFields>>
