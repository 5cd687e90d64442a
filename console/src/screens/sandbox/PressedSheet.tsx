/** Shows what the phone would do after a button press. Only a reply is sent, after confirmation. */
import { useEffect, useRef } from 'react'
import { CopyButton } from '../../components/CopyButton.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { ReplyResult } from './Composer.tsx'
import type { PressedButton } from './entries.ts'
import { useSendReply } from './reply.tsx'
import { sandboxTexts } from './texts.ts'

export function PressedSheet({
  pressed,
  onClose,
}: {
  readonly pressed: PressedButton
  readonly onClose: () => void
}) {
  const t = useTexts(sandboxTexts)
  const { button } = pressed
  const reply = useSendReply()
  const sheet = useRef<HTMLDivElement>(null)
  useEffect(() => sheet.current?.focus(), [pressed])
  return (
    <div
      className="sheet"
      role="dialog"
      aria-label={t.pressed(button.label)}
      tabIndex={-1}
      ref={sheet}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <p>
        <strong>{t.pressed(button.label)}</strong>
      </p>
      <p className="small">{t[`does-${button.does}`]}</p>
      {button.target === null ? null : (
        <p className="sheet-target">
          <code>{button.target}</code> <CopyButton text={button.target} what={button.label} />
        </p>
      )}
      {reply.problem === null ? null : <ProblemNotice problem={reply.problem} />}
      {reply.dialog}
      <ReplyResult data={reply.data} />
      <div className="sheet-actions">
        {button.does === 'reply' && button.target !== null && reply.data === undefined ? (
          <button
            type="button"
            className="button primary"
            disabled={reply.isPending}
            onClick={() => reply.send(pressed, button.target!)}
          >
            {reply.isPending ? t.sending : t.sendReply}
          </button>
        ) : null}
        <button type="button" className="button" onClick={onClose}>
          {t.close}
        </button>
      </div>
    </div>
  )
}
