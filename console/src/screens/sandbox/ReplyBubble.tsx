/** What the phone has answered, and who got it. */
import { useTexts } from '../../texts/texts.ts'
import { Clock } from './Clock.tsx'
import type { Reply } from './entries.ts'
import { sandboxTexts } from './texts.ts'

export function ReplyBubble({ reply: { text, account, choice, at } }: { readonly reply: Reply }) {
  const t = useTexts(sandboxTexts)
  return (
    <article className="step reply">
      <p className="bubble own">{text}</p>
      <div className="step-foot">
        <Clock at={at} />
        <span className="small">{account === null ? t.toNobody : t.toAccount(account)}</span>
        {choice === null ? null : (
          <span className="step-tag">{choice === 'opt-out' ? t.optOut : t.optIn}</span>
        )}
      </div>
    </article>
  )
}
