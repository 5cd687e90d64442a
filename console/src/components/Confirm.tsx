/**
 * Confirmation dialog for changes and for revealing data. The children describe the effect; the reason goes to the audit
 * log. An error is shown in the dialog, which stays open.
 */
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react'
import { toProblem, type Problem } from '../api/problem.ts'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'
import { ProblemNotice } from './ProblemNotice.tsx'
import { useModal } from './use-modal.ts'

export interface ConfirmProps {
  /** Question that names the object: "Disable route lgu-1?" */
  readonly title: string
  /** Effect of the action. */
  readonly children?: ReactNode
  readonly confirmLabel: string
  readonly danger?: boolean
  readonly reason?: 'required' | 'optional'
  /** `false` disables confirmation, for example while the effect is loading. */
  readonly ready?: boolean
  readonly onConfirm: (reason: string) => Promise<unknown>
  /** Called after success and on cancel. */
  readonly onClose: () => void
}

const maxReason = 200

export function Confirm(props: ConfirmProps) {
  const { title, children, confirmLabel, danger = false, reason = 'required', ready = true } = props
  const { onConfirm, onClose } = props
  const t = useTexts(shared)
  const dialog = useModal()
  const ids = { title: useId(), effect: useId(), reason: useId(), hint: useId() }
  const [text, setText] = useState('')
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setWorking(true)
    setProblem(null)
    try {
      await onConfirm(text.trim())
      onClose()
    } catch (error) {
      setProblem(toProblem(error))
      setWorking(false)
    }
  }

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={ids.title}
      aria-describedby={ids.effect}
      onCancel={(event) => {
        event.preventDefault()
        if (!working) onClose()
      }}
    >
      <form onSubmit={submit}>
        <h2 id={ids.title}>{title}</h2>
        <div id={ids.effect}>{children}</div>
        <div className="field">
          <label htmlFor={ids.reason}>
            {t.reason} {reason === 'optional' ? <span className="muted">({t.optional})</span> : null}
          </label>
          <input
            id={ids.reason}
            className="input"
            value={text}
            maxLength={maxReason}
            required={reason === 'required'}
            pattern=".*\S.*"
            aria-describedby={ids.hint}
            autoFocus
            onChange={(event) => setText(event.target.value)}
          />
          <span id={ids.hint} className="small muted">
            {t.reasonHint}
          </span>
        </div>
        {problem === null ? null : <ProblemNotice problem={problem} />}
        <div className="actions">
          <button type="button" className="button" disabled={working} onClick={onClose}>
            {t.cancel}
          </button>
          <button
            type="submit"
            className={`button ${danger ? 'danger' : 'primary'}`}
            disabled={working || !ready}
          >
            {working ? t.working : confirmLabel}
          </button>
        </div>
      </form>
    </dialog>
  )
}
