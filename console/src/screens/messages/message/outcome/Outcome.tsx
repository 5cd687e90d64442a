/** Explains the outcome or current state of a message and what to do next. */
import { Badge } from '../../../../components/Badge.tsx'
import { useClientAccount } from '../../../../session/session.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { nameChannel, type Words } from '../events/event-words.ts'
import { deliveredCode, toLanes, type Message } from '../stops.ts'
import { explainOutcome } from './explain-outcome.ts'
import { outcomeTexts } from './texts.ts'

interface Props {
  readonly message: Message
  readonly words: Words
  readonly nowMs: number
}

export function Outcome({ message, words, nowMs }: Props) {
  const t = useTexts(outcomeTexts)
  const isClient = useClientAccount() !== null
  const explained = explainOutcome(message, t, words, nowMs)
  const { tone, title } = explained
  const closed = message.events.find(({ kind }) => kind === 'closed')
  // Advice about an open message is for operators, unless the client can cancel the message.
  const { cause, action } =
    isClient && closed === undefined && !message.mayCancel ? { cause: '', action: t.clientDo } : explained
  const failed = closed !== undefined && closed.details.code !== deliveredCode
  const lateDelivery = failed && message.attempts.some(({ late, result }) => late && result === 'delivered')
  const fallbacks = toLanes(message).filter(({ code, step }) => code !== null && step !== closed?.step)
  return (
    <section className={`card outcome-card ${tone}`} aria-labelledby="outcome-title">
      <h2 id="outcome-title">{t.title}</h2>
      <p className="outcome-verdict">
        <Badge tone={tone}>
          {closed === undefined ? title : `${String(closed.details.code)} · ${title}`}
        </Badge>
      </p>
      {cause === '' ? null : <p>{cause}</p>}
      <p>
        <strong>{t.whatToDo}:</strong> {action}
      </p>
      {fallbacks.map(({ step, channel, code }) => (
        <p key={step} className="muted">
          {t.fallbackNote(nameChannel(words, channel), code!)}
        </p>
      ))}
      {lateDelivery ? (
        <p className="outcome-note">
          <Badge tone="warn">{words.m.late}</Badge> {t.lateDelivery}
        </p>
      ) : null}
      {message.attempts.some(({ deliveredTwice }) => deliveredTwice) ? (
        <p className="outcome-note">
          <Badge tone="warn">{words.m.deliveredTwice}</Badge> {t.deliveredTwice}
        </p>
      ) : null}
    </section>
  )
}
