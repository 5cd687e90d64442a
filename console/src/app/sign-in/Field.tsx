import { useId } from 'react'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly autoComplete: string
  readonly hint?: string
  readonly type?: 'text' | 'password'
  readonly required?: boolean
}

const maxLength = 200

export function Field({
  label,
  value,
  onChange,
  autoComplete,
  hint,
  type = 'text',
  required = false,
}: Props) {
  const ids = { field: useId(), hint: useId() }
  return (
    <div className="field">
      <label htmlFor={ids.field}>{label}</label>
      <input
        id={ids.field}
        className="input"
        type={type}
        value={value}
        autoComplete={autoComplete}
        required={required}
        maxLength={maxLength}
        aria-describedby={hint === undefined ? undefined : ids.hint}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint === undefined ? null : (
        <span id={ids.hint} className="small muted">
          {hint}
        </span>
      )}
    </div>
  )
}
