import { Badge, type Tone } from '../../components/Badge.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { auditResults } from './route.ts'
import { auditTexts } from './texts.ts'

type AuditResult = (typeof auditResults)[number]

const tones: Readonly<Record<AuditResult, Tone>> = {
  done: 'idle',
  begun: 'idle',
  looked: 'info',
  refused: 'warn',
  failed: 'bad',
}

export function Result({ result }: { readonly result: AuditResult }) {
  const t = useTexts(auditTexts)
  return <Badge tone={tones[result]}>{t[`result-${result}`]}</Badge>
}
