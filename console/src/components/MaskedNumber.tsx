/** Shows a masked phone number. Revealing it requires a reason, which the audit log records. */
import { useState } from 'react'
import { useMay } from '../session/session.ts'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'
import { Confirm } from './Confirm.tsx'
import { CopyButton } from './CopyButton.tsx'

interface Props {
  readonly masked: string
  /** Fetches the whole number; without it, the number cannot be revealed. */
  readonly onReveal?: (reason: string) => Promise<string>
}

export function MaskedNumber({ masked, onReveal }: Props) {
  const t = useTexts(shared)
  const mayReveal = useMay('reveal', 'showMessage')
  const [whole, setWhole] = useState<string | null>(null)
  const [confirming, setConfirming] = useState(false)
  if (whole !== null)
    return (
      <span className="inline">
        <span className="mono">{whole}</span>
        <CopyButton text={whole} what={whole} />
        <button type="button" className="button plain" onClick={() => setWhole(null)}>
          {t.hide}
        </button>
      </span>
    )
  return (
    <span className="inline">
      <span className="mono">{masked}</span>
      {onReveal === undefined || !mayReveal ? null : (
        <button type="button" className="button plain" onClick={() => setConfirming(true)}>
          {t.reveal}
          <span className="hidden-visually"> {masked}</span>
        </button>
      )}
      {confirming && onReveal !== undefined ? (
        <Confirm
          title={t.revealTitle(masked)}
          confirmLabel={t.reveal}
          onConfirm={async (reason) => setWhole(await onReveal(reason))}
          onClose={() => setConfirming(false)}
        >
          {t.revealEffect}
        </Confirm>
      ) : null}
    </span>
  )
}
