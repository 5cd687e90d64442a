import { Badge } from '../../components/Badge.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { SenderState } from './states.ts'
import { sendersTexts } from './texts.ts'

const tones = { pending: 'warn', active: 'ok', rejected: 'idle', blocked: 'bad', expired: 'warn' } as const

export function SenderBadge({ state }: { readonly state: SenderState }) {
  const t = useTexts(sendersTexts)
  return <Badge tone={tones[state]}>{t[`state-${state}`]}</Badge>
}
