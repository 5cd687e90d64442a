/** The title of a screen, with a badge or buttons beside it. Also the title of the browser's tab. */
import { useEffect, type ReactNode } from 'react'

interface Props {
  readonly title: string
  readonly hint?: ReactNode
  /** Beside the title. */
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
