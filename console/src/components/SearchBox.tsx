/** Search box bound to the address. Applies the text when typing pauses. */
import { useEffect, useState } from 'react'

interface Props {
  readonly label: string
  /** Shown while the box is empty; defaults to the label. */
  readonly hint?: string
  /** Allows a visible label. */
  readonly id?: string
  readonly maxLength?: number
  readonly value: string
  readonly onSearch: (text: string) => void
}

const pauseMs = 300

export function SearchBox({ label, hint = label, id, maxLength = 100, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // If another change of the address, such as the back button, replaced the search, it replaces the text too.
    if (value !== sent) {
      setSent(value)
      setText(value)
    }
  }
  useEffect(() => {
    const trimmed = text.trim()
    if (trimmed === value || trimmed === sent) return
    const timer = setTimeout(() => {
      setSent(trimmed)
      onSearch(trimmed)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [text, value, sent, onSearch])
  const apply = (): void => {
    const trimmed = text.trim()
    if (trimmed === value || trimmed === sent) return
    setSent(trimmed)
    onSearch(trimmed)
  }
  return (
    <input
      id={id}
      type="search"
      className="input"
      aria-label={label}
      placeholder={hint}
      maxLength={maxLength}
      value={text}
      onChange={(event) => setText(event.target.value)}
      // Immediate: a delayed search would navigate back from the page that a click has opened.
      onBlur={apply}
    />
  )
}
