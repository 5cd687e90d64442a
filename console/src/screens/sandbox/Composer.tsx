/** The field at the bottom of the phone. What is sent takes the way of a reply that a carrier delivers. */
import { useId, useState, type SyntheticEvent } from 'react'
import type { Data } from '../../api/call.ts'
import { useChange } from '../../api/queries.ts'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { formatNumber, type Message, type Step } from './entries.ts'
import { sandboxTexts } from './texts.ts'

interface Props {
  /** The message that is answered; null when there is none that can be. */
  readonly answered: { readonly message: Message; readonly step: Step } | null
}

const maxReply = 1_000

export function Composer({ answered }: Props) {
  const t = useTexts(sandboxTexts)
  const id = useId()
  const [text, setText] = useState('')
  const reply = useChange('sendSandboxReply')
  if (answered === null) return <p className="composer small">{t.cannotWrite}</p>
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    const { message, step } = answered
    reply.mutate(
      { params: { msgKey: message.msgKey }, body: { text, step: step.step } },
      { onSuccess: () => setText('') },
    )
  }
  return (
    <div className="composer">
      <form onSubmit={submit}>
        <label htmlFor={id} className="hidden-visually">
          {t.write}
        </label>
        <input
          id={id}
          className="input"
          value={text}
          maxLength={maxReply}
          required
          pattern=".*\S.*"
          autoComplete="off"
          placeholder={t.writeTo(formatNumber(answered.step.from ?? ''))}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button primary" disabled={reply.isPending}>
          {reply.isPending ? t.sending : t.send}
        </button>
      </form>
      <ReplyResult data={reply.data} />
      {reply.error === null ? null : <ProblemNotice problem={reply.error} />}
    </div>
  )
}

/** Who got a reply, or what to do so that somebody gets the next one. */
export function ReplyResult({ data }: { readonly data: Data<'sendSandboxReply'> | undefined }) {
  const t = useTexts(sandboxTexts)
  if (data === undefined) return null
  return (
    <p className="small" role="status">
      {data.account === null ? `${t.reachedNobody} ${data.advice ?? ''}` : t.reachedAccount(data.account)}
    </p>
  )
}
