/** Age of the oldest message in each stage. */
import { Link } from '@tanstack/react-router'
import type { Now } from '../../api/now-feed.ts'
import { Badge } from '../../components/Badge.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatDuration } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { nowTexts } from './texts.ts'

/** The same threshold as the alarm of the API. */
const maxOverdueSeconds = 30

export function Ages({ ages, at }: { readonly ages: Now['ages']; readonly at: string }) {
  const t = useTexts(nowTexts)
  const { language } = usePreferences()
  const age = (seconds: number): string => (seconds <= 0 ? t.none : formatDuration(seconds, language))
  const overdue = ages.overdueSeconds
  return (
    <section className="card" aria-labelledby="ages-title">
      <h2 id="ages-title">{t.ages}</h2>
      <dl className="pairs number">
        <dt>
          <Link to="/messages" search={oldest(at, ages.openSeconds)}>
            {t['age-open']}
          </Link>
        </dt>
        <dd>{age(ages.openSeconds)}</dd>
        <dt>
          <Link to="/messages" search={oldest(at, ages.waitingSeconds)}>
            {t['age-waiting']}
          </Link>
        </dt>
        <dd>{age(ages.waitingSeconds)}</dd>
        <dt>
          <Link to="/messages" search={{ state: 'open' }}>
            {t['age-overdue']}
          </Link>
        </dt>
        <dd>{overdue > maxOverdueSeconds ? <Badge tone="bad">{age(overdue)}</Badge> : age(overdue)}</dd>
        <dt>
          <Link to="/parked">{t['age-parked']}</Link>
        </dt>
        <dd>{ages.parkedSeconds > 0 ? <Badge tone="warn">{age(ages.parkedSeconds)}</Badge> : t.none}</dd>
      </dl>
    </section>
  )
}

/** Returns a filter for open messages that were accepted up to the minute that was `seconds` ago. */
function oldest(at: string, seconds: number): { readonly state: 'open'; readonly until?: string } {
  if (seconds <= 0) return { state: 'open' }
  const minute = Math.floor((Date.parse(at) - seconds * 1_000) / 60_000) + 1
  return { state: 'open', until: new Date(minute * 60_000).toISOString() }
}
