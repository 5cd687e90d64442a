import { Badge, type Tone } from '../../components/Badge.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { BatchState } from './route.ts'
import { batchesTexts } from './texts.ts'

const tones: Readonly<Record<BatchState, Tone>> = {
  open: 'idle',
  checking: 'info',
  ready: 'info',
  running: 'ok',
  paused: 'warn',
  cancelled: 'idle',
  ended: 'ok',
}

export function BatchBadge({ state }: { readonly state: BatchState }) {
  const t = useTexts(batchesTexts)
  return <Badge tone={tones[state]}>{t[`state-${state}`]}</Badge>
}
