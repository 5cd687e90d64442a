/** Shows a state with a shape for each tone, because colour alone is not accessible. */
import type { ReactNode } from 'react'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'idle'

const shapes: Readonly<Record<Tone, ReactNode>> = {
  ok: <circle cx="5" cy="5" r="4.5" />,
  warn: <path d="M5 0.5 10 9.5H0Z" />,
  bad: <path d="M3 0h4l3 3v4l-3 3H3L0 7V3Z" />,
  info: <path d="M5 0 10 5 5 10 0 5Z" />,
  idle: <path d="M5 0.5a4.5 4.5 0 1 0 .01 0Zm0 2a2.5 2.5 0 1 1-.01 0Z" />,
}

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        {shapes[tone]}
      </svg>
      {children}
    </span>
  )
}
