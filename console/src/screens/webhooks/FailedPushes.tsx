/** Unacknowledged pushes with their next attempt. */
import type { Data } from '../../api/call.ts'
import { asPages } from '../../components/as-pages.ts'
import { Badge } from '../../components/Badge.tsx'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { useTexts } from '../../texts/texts.ts'
import { ResponseBadge, type PushHistory } from './PushLog.tsx'
import { EventLink } from './EventLink.tsx'
import { webhooksTexts } from './texts.ts'

type Failure = Data<'listDeliveries'>['failed'][number]

export function FailedPushes({ deliveries }: { readonly deliveries: PushHistory }) {
  const t = useTexts(webhooksTexts)
  const columns: readonly Column<Failure>[] = [
    { id: 'event', head: t.event, isRowHeader: true, cell: ({ eventId }) => <EventLink eventId={eventId} /> },
    { id: 'answer', head: t.answer, cell: (failure) => <ResponseBadge entry={failure} /> },
    { id: 'tries', head: t.tries, align: 'end', cell: ({ tries }) => tries },
    { id: 'at', head: t.at, cell: ({ failedAt }) => <Time at={failedAt} /> },
    {
      id: 'next',
      head: t.next,
      cell: ({ retryAt }) => (retryAt === null ? <Badge tone="bad">{t.never}</Badge> : <Time at={retryAt} />),
    },
    { id: 'error', head: t.error, cell: ({ error }) => <span lang="en">{error === '' ? '–' : error}</span> },
  ]
  return (
    <Section title={t.failed} hint={t.failedHint}>
      <DataTable
        caption={t.failed}
        columns={columns}
        pages={asPages(deliveries, ({ failed }) => failed)}
        rowKey={({ eventId }) => eventId}
        empty={t.noneFailed}
      />
    </Section>
  )
}
