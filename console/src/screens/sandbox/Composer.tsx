/** Reply field of the phone. Replies are processed like those from a carrier. */
import { useId, useState, type SyntheticEvent } from 'react'
import type { Data } from '../../api/call.ts'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { formatNumber } from './entries.ts'
import { useSendReply, type ReplyTarget } from './reply.tsx'
import { sandboxTexts } from './texts.ts'

interface Props {
  /** Message to reply to, or null if there is none. */
  readonly target: ReplyTarget | null
}

const maxReply = 1_000

export function Composer({ target }: Props) {
  const t = useTexts(sandboxTexts)
  const id = useId()
  const [text, setText] = useState('')
  const reply = useSendReply(() => setText(''))
  if (target === null) return <p className="composer small">{t.cannotWrite}</p>
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    reply.send(target, text)
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
          placeholder={t.writeTo(formatNumber(target.step.from ?? ''))}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button primary" disabled={reply.isPending}>
          {reply.isPending ? t.sending : t.send}
        </button>
      </form>
      <ReplyResult data={reply.data} />
      {reply.problem === null ? null : <ProblemNotice problem={reply.problem} />}
      {reply.dialog}
    </div>
  )
}

/** Shows which account received a reply, and how to receive replies over a carrier. */
export function ReplyResult({ data }: { readonly data: Data<'sendSandboxReply'> | undefined }) {
  const t = useTexts(sandboxTexts)
  if (data === undefined) return null
  return (
    <p className="small" role="status">
      {t.reachedAccount(data.account)} {data.advice}
    </p>
  )
}
