/** Title of a screen and of the browser tab. */
import { useEffect, type ReactNode } from 'react'

interface Props {
  readonly title: string
  readonly hint?: ReactNode
  /** Shown next to the title. */
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export function PageHead({ title, hint, children, actions }: Props) {
  useEffect(() => {
    document.title = `${title} · Postern`
  }, [title])
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {children}
      {actions === undefined ? null : <div className="page-actions">{actions}</div>}
      {hint === undefined ? null : <p>{hint}</p>}
    </div>
  )
}
