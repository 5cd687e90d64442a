/** Search box bound to the address. Applies the text when typing pauses. */
import { useEffect, useState } from 'react'

interface Props {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

const pauseMs = 300
const maxLength = 100

export function SearchBox({ label, value, onSearch }: Props) {
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
      type="search"
      className="input"
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      value={text}
      onChange={(event) => setText(event.target.value)}
      // Immediate: a delayed search would navigate back from the page that a click has opened.
      onBlur={apply}
    />
  )
}
