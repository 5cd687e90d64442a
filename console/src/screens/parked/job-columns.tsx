import { Link } from '@tanstack/react-router'
import type { Column } from '../../components/DataTable.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { Time } from '../../components/Time.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { Job } from './jobs.ts'
import { parkedTexts } from './texts.ts'

export function useJobColumns(): readonly Column<Job>[] {
  const t = useTexts(parkedTexts)
  return [
    {
      id: 'job',
      head: t.job,
      isRowHeader: true,
      cell: ({ id }) => (
        <Link to="/parked/$id" params={{ id: String(id) }} className="number">
          {id}
        </Link>
      ),
    },
    { id: 'stage', head: t.stage, cell: ({ stage }) => t[`stage-${stage}`] },
    {
      id: 'reason',
      head: t.reason,
      cell: ({ reason }) =>
        reason === null ? (
          <span className="muted">{t.noReason}</span>
        ) : (
          <span className="mono">{reason}</span>
        ),
    },
    {
      id: 'message',
      head: t.message,
      cell: ({ msgKey }) =>
        msgKey === null ? (
          <span className="muted">{t.noMessage}</span>
        ) : (
          <span className="mono">
            <ObjectLink screen="messages" id={msgKey} />
          </span>
        ),
    },
    { id: 'times', head: t.times, align: 'end', cell: ({ times }) => t.timesOf(String(times)) },
    { id: 'parkedAt', head: t.parkedAt, align: 'end', cell: ({ parkedAt }) => <Time at={parkedAt} /> },
  ]
}
