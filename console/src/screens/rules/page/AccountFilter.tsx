import { useEffect, useId, useState, type ReactNode } from 'react'
import { useTexts } from '../../../texts/texts.ts'
import { rulesPageTexts } from './texts.ts'

interface Props {
  readonly account: string | undefined
  readonly filtered: boolean
  readonly onChange: (account: string | undefined) => void
  readonly onClear: () => void
  readonly children?: ReactNode
}

export function AccountFilter({ account, filtered, onChange, onClear, children }: Props) {
  const t = useTexts(rulesPageTexts)
  const id = useId()
  const [text, setText] = useState(account ?? '')
  useEffect(() => setText(account ?? ''), [account])
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(text.trim() === '' ? undefined : text.trim())
      }}
    >
      <div className="field">
        <label htmlFor={id}>{t.account}</label>
        <input
          id={id}
          className="input"
          value={text}
          maxLength={200}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {children}
      <button type="submit" className="button">
        {t.filter}
      </button>
      {filtered ? (
        <button type="button" className="button link" onClick={onClear}>
          {t.clearFilter}
        </button>
      ) : null}
    </form>
  )
}
