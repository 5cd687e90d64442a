import { Done } from '../../components/Done.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { countProcessed, type RetryResult, type Tally } from './jobs.ts'
import { parkedTexts } from './texts.ts'

export function RetrySummary({ tally }: { readonly tally: Tally | null }) {
  const t = useTexts(parkedTexts)
  const { language } = usePreferences()
  if (tally === null) return <Done label={t.done}>{null}</Done>
  const { counts, stoppedAt } = tally
  const parts = (Object.entries(counts) as [RetryResult, number][])
    .filter(([, count]) => count > 0)
    .map(([result, count]) => t[result](formatCount(count, language)))
  return (
    <Done label={stoppedAt === null ? t.done : t.stopped} tone={stoppedAt === null ? 'ok' : 'warn'}>
      {countProcessed(tally) === 0 ? t.nothingRetried : `${parts.join(', ')}.`}{' '}
      {stoppedAt === null ? '' : t.stoppedAt(String(stoppedAt.id), stoppedAt.error)}
    </Done>
  )
}
