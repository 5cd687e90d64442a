/** State of each route share, as last published by its owner. */
import { allRows } from '../../../components/as-pages.ts'
import { Badge } from '../../../components/Badge.tsx'
import { DataTable, type Column } from '../../../components/DataTable.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount, formatDuration, formatRate } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { formatPercent, type RouteDetails } from '../figures.ts'
import { useStateText } from '../states/states.ts'
import { routeTexts } from './texts.ts'

interface ShareRow {
  readonly share: RouteDetails['shares'][number]
  readonly live: RouteDetails['live'][number] | undefined
}

export function Shares({ route: { shares, live } }: { readonly route: RouteDetails }) {
  const t = useTexts(routeTexts)
  const rows = shares.map((share): ShareRow => ({ share, live: live.find((one) => one.share === share.id) }))
  const columns = useColumns()
  return (
    <section aria-labelledby="shares-title" className="shares">
      <h2 id="shares-title">
        {t.shares} <span className="small muted">{t.sharesHint}</span>
      </h2>
      <DataTable
        caption={t.shares}
        columns={columns}
        rowKey={({ share }) => share.id}
        pages={allRows(rows)}
      />
    </section>
  )
}

function useColumns(): readonly Column<ShareRow>[] {
  const t = useTexts(routeTexts)
  const { language } = usePreferences()
  const stateText = useStateText()
  const formatLive = (
    live: ShareRow['live'],
    show: (live: NonNullable<ShareRow['live']>) => string,
  ): string => (live === undefined ? '–' : show(live))
  return [
    { id: 'share', head: t.share, isRowHeader: true, cell: ({ share }) => share.id },
    {
      id: 'health',
      head: t.health,
      cell: ({ share: { usable, state } }) => (
        <Badge tone={state === 'healthy' ? 'ok' : usable ? 'warn' : 'bad'}>{stateText(state).text}</Badge>
      ),
    },
    {
      id: 'worker',
      head: t.worker,
      cell: ({ share }) =>
        share.worker === null ? (
          <span className="muted">{t.noWorker}</span>
        ) : (
          <span className="mono">{share.worker}</span>
        ),
    },
    {
      id: 'breaker',
      head: t.breaker,
      cell: ({ live }) => formatLive(live, ({ breaker }) => t[`breaker-${breaker}`]),
    },
    {
      id: 'submits',
      head: t.submits,
      align: 'end',
      cell: ({ live }) => formatLive(live, ({ submitted }) => `${formatRate(submitted)} ${t.perSecond}`),
    },
    {
      id: 'rate',
      head: t.rate,
      align: 'end',
      cell: ({ live }) =>
        formatLive(live, ({ rate }) => (rate === null ? '∞' : `${formatRate(rate)} ${t.perSecond}`)),
    },
    {
      id: 'throttled',
      head: t.throttled,
      align: 'end',
      cell: ({ live }) => formatLive(live, ({ throttledShare }) => formatPercent(throttledShare)),
    },
    {
      id: 'delivered',
      head: t.deliveredShare,
      align: 'end',
      cell: ({ live }) =>
        formatLive(live, ({ deliveryRate }) => (deliveryRate === null ? '–' : formatPercent(deliveryRate))),
    },
    {
      id: 'queued',
      head: t.waits,
      align: 'end',
      cell: ({ live }) => formatLive(live, ({ queued }) => formatCount(queued, language)),
    },
    {
      id: 'heard',
      head: t.heard,
      align: 'end',
      cell: ({ live }) =>
        live === undefined
          ? t.silent
          : t.ago(formatDuration((Date.now() - Date.parse(live.seenAt)) / 1_000, language)),
    },
  ]
}
