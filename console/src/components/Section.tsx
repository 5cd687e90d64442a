/** Card with a title and actions. */
import './section.css'
import { useId, type ReactNode } from 'react'

interface Props {
  readonly title: string
  /** Buttons or links at the end of the title row. */
  readonly actions?: ReactNode
  readonly hint?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, actions, hint, children }: Props) {
  const id = useId()
  return (
    // A group, not a region: a table inside it is a region with the same name.
    <div role="group" className="card section" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        {actions === undefined ? null : <div className="section-actions">{actions}</div>}
      </div>
      {hint === undefined ? null : <p className="small muted">{hint}</p>}
      {children}
    </div>
  )
}
