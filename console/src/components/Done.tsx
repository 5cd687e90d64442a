/** Says that an act was done, and what follows from it. Screen readers hear it. */
import type { ReactNode } from 'react'
import { Badge } from './Badge.tsx'

interface Props {
  /** Null: nothing was done yet. */
  readonly children: ReactNode
  readonly label: string
  readonly tone?: 'ok' | 'warn'
}

export function Done({ children, label, tone = 'ok' }: Props) {
  return (
    <div role="status" className={children === null ? undefined : 'card done'}>
      {children === null ? null : (
        <>
          <Badge tone={tone}>{label}</Badge> <span>{children}</span>
        </>
      )}
    </div>
  )
}
