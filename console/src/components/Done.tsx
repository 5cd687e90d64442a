/** Announces the result of an action, also to screen readers. */
import type { ReactNode } from 'react'
import { Badge } from './Badge.tsx'

interface Props {
  /** `null` before the action. */
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
