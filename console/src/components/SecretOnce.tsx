/** Shows a secret that the API returns only once. It is lost when the dialog closes. */
import './section.css'
import { useId, type ReactNode } from 'react'
import { defineTexts, useTexts } from '../texts/texts.ts'
import { CopyButton } from './CopyButton.tsx'
import { useModal } from './use-modal.ts'

export interface ShownSecret {
  /** Names the owner of the secret: "Key of shop-1". */
  readonly title: string
  readonly secret: string
  /** Additional information, such as when the previous secret expires. */
  readonly note?: ReactNode
}

const texts = defineTexts(
  {
    once: 'Shown only once. Copy it now and pass it on only through a secure channel.',
    stored: 'I have copied it',
  },
  { once: '한 번만 표시됩니다. 지금 복사하고 안전한 경로로만 전달하세요.', stored: '복사했습니다' },
)

interface Props extends ShownSecret {
  /** Shown below the secret: more secrets or an example. */
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
      // Closing with Escape would lose the secret.
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
