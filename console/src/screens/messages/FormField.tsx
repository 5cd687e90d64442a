/** Form field with a label and a hint for any control. */
import { useId, type ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly hint?: string
  readonly children: (props: { readonly id: string; readonly 'aria-describedby'?: string }) => ReactNode
}

export function FormField({ label, hint, children }: Props) {
  const ids = { field: useId(), hint: useId() }
  return (
    <div className="field">
      <label htmlFor={ids.field}>{label}</label>
      {children({ id: ids.field, ...(hint === undefined ? {} : { 'aria-describedby': ids.hint }) })}
      {hint === undefined ? null : (
        <span id={ids.hint} className="small muted">
          {hint}
        </span>
      )}
    </div>
  )
}
