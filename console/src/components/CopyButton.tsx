import { useEffect, useState } from 'react'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'

interface Props {
  readonly text: string
  /** Names the copied value for screen readers. */
  readonly what: string
}

const shownMs = 1_500

export function CopyButton({ text, what }: Props) {
  const t = useTexts(shared)
  const [result, setResult] = useState<'copied' | 'copyFailed' | null>(null)
  useEffect(() => {
    if (result === null) return
    const timer = setTimeout(() => setResult(null), shownMs)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async (): Promise<void> => {
    // On remote pages without HTTPS `navigator.clipboard` is undefined; inside `then` that counts as a failure.
    const done = await Promise.resolve(text)
      .then((given) => navigator.clipboard.writeText(given))
      .then(
        () => true,
        () => false,
      )
    setResult(done ? 'copied' : 'copyFailed')
  }
  return (
    <button type="button" className="button plain" onClick={copy}>
      <span aria-live="polite">{result === null ? t.copy : t[result]}</span>
      <span className="hidden-visually"> {what}</span>
    </button>
  )
}
