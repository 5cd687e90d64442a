/** Current metrics of a route with curves of the live feed. */
import { useNow } from '../../../api/now-feed.ts'
import { Sparkline } from '../../../components/Sparkline.tsx'
import { Stat } from '../../../components/Stat.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount, formatRate } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import {
  deliveredShare,
  isFailing,
  maxThrottledShare,
  formatPercent,
  sumResults,
  type RouteDetails,
} from '../figures.ts'
import { routeTexts } from './texts.ts'

export function RouteStats({ route }: { readonly route: RouteDetails }) {
  const t = useTexts(routeTexts)
  const { language } = usePreferences()
  const { history } = useNow()
  // The live feed contains only the busiest routes; the curves of others stay empty.
  const points = history.flatMap(({ routes }) => routes.find(({ id }) => id === route.id) ?? [])
  const sum = (of: 'submitted' | 'arrivals' | 'queued'): number =>
    route.live.reduce((total, live) => total + live[of], 0)
  const limits = route.live.map(({ rate }) => rate)
  const limit =
    limits.length === 0 || limits.includes(null) ? null : limits.reduce((total, rate) => total! + rate!, 0)
  // Each share of the route measures its own throttling; the highest is shown.
  const throttled = Math.max(0, ...route.live.map(({ throttledShare }) => throttledShare))
  const results = sumResults(route.minutes)
  const delivered = deliveredShare(results)
  return (
    <section className="route-figures" aria-labelledby="figures-title">
      <h2 id="figures-title" className="hidden-visually">
        {t.figures}
      </h2>
      <dl className="stats">
        <Stat
          label={t.submits}
          value={formatRate(sum('submitted'))}
          unit={t.partsPerSecond}
          hint={limit === null ? t.unlimited : t.ofLimit(formatRate(limit))}
        >
          <Sparkline values={points.map(({ submitted }) => submitted)} />
        </Stat>
        <Stat label={t.arrives} value={formatRate(sum('arrivals'))} unit={t.perSecond} hint={t.lastSecond}>
          <Sparkline values={points.map(({ arrivals }) => arrivals)} />
        </Stat>
        <Stat
          label={t.waits}
          value={`${formatCount(route.waiting, language)}${route.waitingMore ? '+' : ''}`}
          hint={`${t.inDatabase} · ${t.inMemory(formatCount(sum('queued'), language))}`}
          tone={route.waiting > 0 && !route.usable ? 'warn' : undefined}
        >
          <Sparkline values={points.map(({ waiting, queued }) => waiting + queued)} />
        </Stat>
        <Stat
          label={t.throttled}
          value={formatPercent(throttled)}
          hint={t.ofSubmissions}
          tone={throttled > maxThrottledShare ? 'warn' : undefined}
        />
        <Stat
          label={t.deliveredShare}
          value={delivered === null ? '–' : formatPercent(delivered)}
          hint={delivered === null ? t.noResults : t.lastHour}
          tone={isFailing(results) ? 'warn' : undefined}
        />
      </dl>
    </section>
  )
}
