/** A secret that the API answers once: it can be copied, and is gone when the dialog is closed. */
import './section.css'
import { useId, type ReactNode } from 'react'
import { defineTexts, useTexts } from '../texts/texts.ts'
import { CopyButton } from './CopyButton.tsx'
import { useModal } from './use-modal.ts'

export interface ShownSecret {
  /** Names what it belongs to: "Key of shop-1". */
  readonly title: string
  readonly secret: string
  /** Until when a previous one works, and the like. */
  readonly note?: ReactNode
}

const texts = defineTexts(
  {
    once: 'It is shown this once and not stored. Copy it now, and send it to its owner through a secure channel.',
    stored: 'I have copied it',
  },
  {
    once: '지금 한 번만 표시되며 저장되지 않습니다. 지금 복사해서 안전한 경로로 소유자에게 전달하세요.',
    stored: '복사했습니다',
  },
)

interface Props extends ShownSecret {
  /** Below the secret: more of them, or how they are used. */
  readonly children?: ReactNode
  readonly onClose: () => void
}

export function SecretOnce({ title, secret, note, children, onClose }: Props) {
  const t = useTexts(texts)
  const dialog = useModal()
  const ids = { title: useId(), text: useId() }
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={ids.title}
      aria-describedby={ids.text}
      // Escape would lose the secret.
      onCancel={(event) => event.preventDefault()}
    >
      <div className="fields">
        <h2 id={ids.title}>{title}</h2>
        <p id={ids.text}>{t.once}</p>
        <div className="secret">
          <code className="mono">{secret}</code>
          <CopyButton text={secret} what={title} />
        </div>
        {children}
        {note === undefined ? null : <p className="small muted">{note}</p>}
        <div className="section-actions">
          <button type="button" className="button primary" onClick={onClose}>
            {t.stored}
          </button>
        </div>
      </div>
    </dialog>
  )
}
