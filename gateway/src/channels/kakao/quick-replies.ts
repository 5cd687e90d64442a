/** Quick replies: chips under an alimtalk. */
import { Type, type Static } from 'typebox'
import type { Issues } from '../issues.ts'
import { chatFields, checkAction, formFields, linkFields } from './actions.ts'
import { limitCount, requireText } from './check.ts'
import { quickReplyLimits } from './limits.ts'

export const quickReplyTypes = ['WL', 'AL', 'BK', 'BC', 'BT', 'BF', 'MD'] as const

export const QuickReply = Type.Object(
  {
    type: Type.Enum([...quickReplyTypes], { description: 'What a tap does' }),
    name: Type.String({ minLength: 1, description: `Label, at most ${quickReplyLimits.name} characters` }),
    ...linkFields,
    ...chatFields,
    ...formFields,
  },
  { additionalProperties: false, description: 'Quick reply' },
)

export type QuickReply = Static<typeof QuickReply>

export function checkQuickReplies(replies: readonly QuickReply[], path: string, issues: Issues): void {
  limitCount(replies.length, quickReplyLimits, 'A562', path, issues)
  for (const [index, reply] of replies.entries()) {
    if (issues.isSettled()) return
    const at = `${path}[${index}]`
    requireText(reply.name, quickReplyLimits.name, 'A564', `${at}.name`, issues)
    checkAction(reply, 'A562', at, issues)
  }
}
