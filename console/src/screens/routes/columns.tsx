import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import type { Column } from '../../components/DataTable.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount, formatRate } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { deliveredShare, isFailing, maxThrottledShare, formatPercent, type RouteRow } from './figures.ts'
import { Health } from './Health.tsx'
import { ResultBars } from './ResultBars.tsx'
import { routesTexts } from './texts.ts'

export function useColumns(): readonly Column<RouteRow>[] {
  const t = useTexts(routesTexts)
  const { language } = usePreferences()
  const nothing = <span className="muted">–</span>
  return [
    {
      id: 'route',
      head: t.route,
      isRowHeader: true,
      cell: ({ id, protocol, channels }) => (
        <>
          <Link to="/routes/$id" params={{ id }} className="route-name">
            {id}
          </Link>
          <div className="small muted">
            {protocol} · {channels.join(', ')}
          </div>
        </>
      ),
    },
    { id: 'health', head: t.health, cell: (row) => <Health row={row} /> },
    {
      id: 'submits',
      head: t.submits,
      align: 'end',
      cell: ({ flow: { submitted, rate } }) => (
        <>
          {t.perSecond(formatRate(submitted))}
          <div className="small muted">{rate === null ? t.unlimited : t.ofLimit(formatRate(rate))}</div>
        </>
      ),
    },
    {
      id: 'throttled',
      head: t.throttled,
      align: 'end',
      cell: ({ flow: { throttledShare } }) =>
        throttledShare > maxThrottledShare ? (
          <Badge tone="warn">{formatPercent(throttledShare)}</Badge>
        ) : throttledShare > 0 ? (
          formatPercent(throttledShare)
        ) : (
          nothing
        ),
    },
    {
      id: 'delivered',
      head: t.delivered,
      align: 'end',
      cell: ({ flow }) => {
        const share = deliveredShare(flow)
        if (share === null) return nothing
        return isFailing(flow) ? <Badge tone="warn">{formatPercent(share)}</Badge> : formatPercent(share)
      },
    },
    {
      id: 'waits',
      head: t.waits,
      align: 'end',
      cell: ({ flow: { waiting } }) => (waiting === 0 ? nothing : formatCount(waiting, language)),
    },
    {
      id: 'traffic',
      head: t.traffic,
      cell: ({ flow: { trafficShare } }) =>
        trafficShare === null || trafficShare === 0 ? (
          nothing
        ) : (
          <span className="traffic number">
            <span className="meter" aria-hidden="true">
              <span style={{ width: formatPercent(trafficShare).replace(' ', '') }} />
            </span>
            {formatPercent(trafficShare)}
          </span>
        ),
    },
    {
      id: 'lastHour',
      head: t.lastHour,
      cell: ({ flow: { curve, delivered, failed } }) =>
        curve.delivered.length === 0 ? (
          <span className="muted small">{t.nothing}</span>
        ) : (
          <>
            <ResultBars {...curve} />
            <span className="hidden-visually">
              {t.results(formatCount(delivered, language), formatCount(failed, language))}
            </span>
          </>
        ),
    },
  ]
}
