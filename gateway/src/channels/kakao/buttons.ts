/** Buttons under a message or on a card. The bubble limits their number and the length of their names. */
import { Type, type Static } from 'typebox'
import type { Issues } from '../issues.ts'
import { chatFields, checkAction, formFields, linkFields } from './actions.ts'
import { limitCount, requireText } from './check.ts'
import type { KakaoButtonLimits } from './limits.ts'

/** Web, app, bot keyword, message relay, parcel tracking, consultation, chatbot, add channel, business form. */
export const kakaoButtonTypes = ['WL', 'AL', 'BK', 'MD', 'DS', 'BC', 'BT', 'AC', 'BF'] as const

export const KakaoButton = Type.Object(
  {
    type: Type.Enum([...kakaoButtonTypes], { description: 'What a tap does' }),
    name: Type.String({
      minLength: 1,
      description: 'Label, at most 14 characters; 8 on wide bubbles and cards',
    }),
    ...linkFields,
    ...chatFields,
    target: Type.Optional(Type.String({ description: 'With WL: out opens the web browser outside the app' })),
    ...formFields,
    pluginId: Type.Optional(Type.String({ description: 'Plugin id' })),
    relayId: Type.Optional(Type.String({ description: 'Handed over to the plugin' })),
    oneclickId: Type.Optional(Type.String({ description: 'One-click payment id' })),
    productId: Type.Optional(Type.String({ description: 'One-click product id' })),
  },
  { additionalProperties: false, description: 'Button' },
)

export type KakaoButton = Static<typeof KakaoButton>

export const buttonsField = (description: string) => Type.Optional(Type.Array(KakaoButton, { description }))

export function checkKakaoButtons(
  buttons: readonly KakaoButton[],
  limits: KakaoButtonLimits,
  path: string,
  issues: Issues,
): void {
  limitCount(buttons.length, limits, 'A503', path, issues)
  for (const [index, button] of buttons.entries()) {
    if (issues.isSettled()) return
    const at = `${path}[${index}]`
    requireText(button.name, limits.name, 'A525', `${at}.name`, issues)
    checkAction(button, 'A503', at, issues)
  }
}
