/** A phone: what it has received and answered, live; what a press of a button would do; and a field to answer. */
import { useState } from 'react'
import { useRead } from '../../api/queries.ts'
import { Loading } from '../../components/Loading.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Composer } from './Composer.tsx'
import { answerable, formatNumber, toEntries, type Entry } from './entries.ts'
import type { Pressed } from './pressed.ts'
import { PressedSheet } from './PressedSheet.tsx'
import { ReplyBubble } from './ReplyBubble.tsx'
import { StepView } from './StepView.tsx'
import { sandboxTexts } from './texts.ts'

const everyMs = 1_500
const limit = 30

export function Phone({ to }: { readonly to: string }) {
  const t = useTexts(sandboxTexts)
  const messages = useRead('listSandboxMessages', { query: { to, limit } }, { everyMs })
  const replies = useRead('listSandboxReplies', { query: { to } }, { everyMs })
  const [pressed, setPressed] = useState<Pressed | null>(null)
  // While those of another phone are still shown, none are.
  const own = (messages.data?.items ?? []).filter((message) => message.to === to)
  const entries = toEntries(own, messages.isPlaceholderData ? [] : (replies.data?.items ?? []))
  const problem = messages.error ?? replies.error
  const answered = answerable(entries)
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
      <Composer answered={answered} />
    </section>
  )
}

function Screen(props: {
  readonly entries: readonly Entry[]
  readonly more: boolean
  readonly onPress: (pressed: Pressed) => void
}) {
  const { entries, more, onPress } = props
  const t = useTexts(sandboxTexts)
  if (entries.length === 0) return <p className="handset-empty">{t.emptyPhone}</p>
  return (
    // It scrolls, so it must be reached with the keyboard. It begins at its end, by its style.
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
