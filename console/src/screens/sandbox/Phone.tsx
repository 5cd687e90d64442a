/** Live view of a phone with its messages and replies. */
import { useState } from 'react'
import { useRead } from '../../api/queries.ts'
import { Loading } from '../../components/Loading.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Clock } from './Clock.tsx'
import { Composer } from './Composer.tsx'
import {
  findReplyTarget,
  formatNumber,
  toEntries,
  type Entry,
  type PressedButton,
  type Reply,
} from './entries.ts'
import { PressedSheet } from './PressedSheet.tsx'
import { StepView } from './StepView.tsx'
import { sandboxTexts } from './texts.ts'

const everyMs = 1_500
const maxMessages = 30

export function Phone({ to }: { readonly to: string }) {
  const t = useTexts(sandboxTexts)
  const messages = useRead('listSandboxMessages', { query: { to, limit: maxMessages } }, { everyMs })
  const replies = useRead('listSandboxReplies', { query: { to } }, { everyMs })
  const [pressed, setPressed] = useState<PressedButton | null>(null)
  // Ignore placeholder data of another phone.
  const received = (messages.data?.items ?? []).filter((message) => message.to === to)
  const entries = toEntries(received, messages.isPlaceholderData ? [] : (replies.data?.items ?? []))
  const problem = messages.error ?? replies.error
  const target = findReplyTarget(entries)
  return (
    <section className="handset" aria-labelledby="handset-title">
      <header className="handset-top">
        <h2 id="handset-title" className="number">
          <span className="hidden-visually">{t.phoneOf('')}</span>
          {formatNumber(to)}
        </h2>
      </header>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      {messages.data === undefined && problem === null ? (
        <Loading />
      ) : (
        <Screen entries={entries} more={messages.data?.next !== null} onPress={setPressed} />
      )}
      {pressed === null ? null : <PressedSheet pressed={pressed} onClose={() => setPressed(null)} />}
      <Composer target={target} />
    </section>
  )
}

function Screen(props: {
  readonly entries: readonly Entry[]
  readonly more: boolean
  readonly onPress: (pressed: PressedButton) => void
}) {
  const { entries, more, onPress } = props
  const t = useTexts(sandboxTexts)
  if (entries.length === 0) return <p className="handset-empty">{t.emptyPhone}</p>
  return (
    // Scrollable, so it must be focusable. CSS starts it at its end.
    <div className="handset-screen" tabIndex={0} role="region" aria-label={t.messages(entries.length)}>
      <ol aria-live="polite">
        {more ? <li className="handset-note">{t.older}</li> : null}
        {entries.map((entry) => (
          <li key={entry.id} className={entry.kind === 'reply' ? 'sent' : 'received'}>
            {entry.kind === 'reply' ? (
              <ReplyBubble reply={entry.reply} />
            ) : (
              <StepView message={entry.message} step={entry.step} onPress={onPress} />
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

function ReplyBubble({ reply: { text, account, choice, at } }: { readonly reply: Reply }) {
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
