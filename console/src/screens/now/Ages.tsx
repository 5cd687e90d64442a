/** The age of the oldest in each stage: what is stuck grows here first. */
import type { Now } from '../../api/now-feed.ts'
import { Badge } from '../../components/Badge.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatDuration } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { nowTexts } from './texts.ts'

/** As the alarms of the API. */
const maxOverdueSeconds = 30

export function Ages({ ages }: { readonly ages: Now['ages'] }) {
  const t = useTexts(nowTexts)
  const { language } = usePreferences()
  const age = (seconds: number): string => (seconds <= 0 ? t.none : formatDuration(seconds, language))
  const overdue = ages.overdueSeconds
  return (
    <section className="card" aria-labelledby="ages-title">
      <h2 id="ages-title">{t.ages}</h2>
      <dl className="pairs number">
        <dt>{t['age-open']}</dt>
        <dd>{age(ages.openSeconds)}</dd>
        <dt>{t['age-waiting']}</dt>
        <dd>{age(ages.waitingSeconds)}</dd>
        <dt>{t['age-overdue']}</dt>
        <dd>{overdue > maxOverdueSeconds ? <Badge tone="bad">{age(overdue)}</Badge> : age(overdue)}</dd>
        <dt>{t['age-parked']}</dt>
        <dd>{ages.parkedSeconds > 0 ? <Badge tone="warn">{age(ages.parkedSeconds)}</Badge> : t.none}</dd>
      </dl>
    </section>
  )
}
