/** Recent pushes: an overview strip, counts by response class, and a table. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Data } from '../../api/call.ts'
import type { Problem } from '../../api/problem.ts'
import { asPages } from '../../components/as-pages.ts'
import { Badge } from '../../components/Badge.tsx'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { EventLink } from './EventLink.tsx'
import { webhooksTexts } from './texts.ts'

type PushAttempt = Data<'listDeliveries'>['tries'][number]

const responseClasses = ['acknowledged', '2xx', '3xx', '4xx', '5xx', 'none'] as const
type ResponseClass = (typeof responseClasses)[number]

export type PushHistory = UseQueryResult<Data<'listDeliveries'>, Problem>

export function PushLog({ deliveries }: { readonly deliveries: PushHistory }) {
  const t = useTexts(webhooksTexts)
  const [chosen, setChosen] = useState<ResponseClass | 'all'>('all')
  const tries = deliveries.data?.tries ?? []
  const counts = responseClasses
    .map((one) => [one, tries.filter((entry) => classifyResponse(entry) === one).length] as const)
    .filter(([one, count]) => count > 0 || one === chosen)
  return (
    <Section title={t.log} hint={t.logHint}>
      {tries.length === 0 ? null : (
        <>
          <ol className="tries" aria-hidden="true">
            {tries.toReversed().map((entry, index) => (
              <li
                key={index}
                className={classifyResponse(entry) === 'acknowledged' ? 'good' : 'bad'}
                title={`${entry.at}: ${t[`class-${classifyResponse(entry)}`]}`}
              />
            ))}
          </ol>
          <div className="row-actions" role="group" aria-label={t.logFilter}>
            {[['all', tries.length] as const, ...counts].map(([one, count]) => (
              <button
                key={one}
                type="button"
                className="button plain toggle"
                aria-pressed={chosen === one}
                onClick={() => setChosen(one)}
              >
                {t[`class-${one}`]} <strong className="number">{count}</strong>
              </button>
            ))}
          </div>
        </>
      )}
      <DataTable
        caption={t.log}
        columns={useColumns()}
        pages={asPages(deliveries, () =>
          tries.filter((entry) => chosen === 'all' || classifyResponse(entry) === chosen),
        )}
        rowKey={({ at, eventId }) => `${at} ${eventId}`}
        empty={t.noTries}
      />
    </Section>
  )
}

function useColumns(): readonly Column<PushAttempt>[] {
  const t = useTexts(webhooksTexts)
  const { language } = usePreferences()
  return [
    { id: 'at', head: t.at, cell: ({ at }) => <Time at={at} /> },
    { id: 'event', head: t.event, isRowHeader: true, cell: ({ eventId }) => <EventLink eventId={eventId} /> },
    { id: 'answer', head: t.answer, cell: (entry) => <ResponseBadge entry={entry} /> },
    { id: 'took', head: t.took, align: 'end', cell: ({ ms }) => t.ms(formatCount(ms, language)) },
    {
      id: 'error',
      head: t.error,
      cell: ({ error }) => (error === '' ? '–' : <span lang="en">{error}</span>),
    },
  ]
}

export function ResponseBadge({ entry }: { readonly entry: Pick<PushAttempt, 'httpStatus' | 'error'> }) {
  const t = useTexts(webhooksTexts)
  const { httpStatus, error } = entry
  return (
    <Badge tone={error === '' ? 'ok' : 'bad'}>
      {httpStatus === null ? t['class-none'] : `HTTP ${httpStatus}`}
    </Badge>
  )
}

/** A 2xx alone is not an acknowledgement unless the webhook accepts any: the response must name the message. */
function classifyResponse({ httpStatus, error }: Pick<PushAttempt, 'httpStatus' | 'error'>): ResponseClass {
  if (error === '') return 'acknowledged'
  if (httpStatus === null) return 'none'
  const hundreds = Math.floor(httpStatus / 100)
  return hundreds === 2
    ? '2xx'
    : hundreds === 3
      ? '3xx'
      : hundreds === 4
        ? '4xx'
        : hundreds === 5
          ? '5xx'
          : 'none'
}
