/** Form fields: an input with a label and a hint, and a select with a label. */
import { useId, type InputHTMLAttributes, type ReactNode } from 'react'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'onChange' | 'value'> {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly hint?: ReactNode
}

export function Field({ label, value, onValue, hint, ...input }: Props) {
  const ids = { input: useId(), hint: useId() }
  return (
    <div className="field">
      <label htmlFor={ids.input}>{label}</label>
      <input
        {...input}
        id={ids.input}
        className="input"
        value={value}
        aria-describedby={hint === undefined ? undefined : ids.hint}
        onChange={(event) => onValue(event.target.value)}
      />
      {hint === undefined ? null : (
        <span id={ids.hint} className="small muted">
          {hint}
        </span>
      )}
    </div>
  )
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onValue: (value: Value) => void
  readonly options: readonly (readonly [value: Value, text: string])[]
}

export function SelectField<Value extends string>({ label, value, onValue, options }: SelectProps<Value>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="select"
        value={value}
        onChange={(event) => onValue(event.target.value as Value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
