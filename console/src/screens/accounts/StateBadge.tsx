import { Badge } from '../../components/Badge.tsx'
import { useTexts } from '../../texts/texts.ts'
import { accountsTexts } from './texts.ts'

const tones = { active: 'ok', blocked: 'bad' } as const

export function StateBadge({ state }: { readonly state: keyof typeof tones }) {
  const t = useTexts(accountsTexts)
  return <Badge tone={tones[state]}>{t[`state-${state}`]}</Badge>
}
