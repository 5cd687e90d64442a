/** Metric with label, value, unit, and a curve or hint. Must be inside `<dl className="stats">`. */
import type { ReactNode } from 'react'

interface Props {
  readonly label: ReactNode
  readonly value: ReactNode
  readonly unit?: string
  readonly tone?: 'bad' | 'warn' | undefined
  readonly hint?: ReactNode
  /** Optional sparkline. */
  readonly children?: ReactNode
}

export function Stat({ label, value, unit, tone, hint, children }: Props) {
  return (
    <div className={tone === undefined ? 'card stat' : `card stat tone-${tone}`}>
      <dt>{label}</dt>
      <dd className="number">
        {value}
        {unit === undefined ? null : <small> {unit}</small>}
      </dd>
      {hint === undefined ? null : <dd className="hint">{hint}</dd>}
      {children === undefined ? null : <dd className="curve">{children}</dd>}
    </div>
  )
}
