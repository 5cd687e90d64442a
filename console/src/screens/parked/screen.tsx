import './parked.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages, useRead } from '../../api/queries.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { Loading } from '../../components/Loading.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { useRight } from '../../session/session.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import type { RetryRequest, Group } from './choice.ts'
import { DropDialog } from './DropDialog.tsx'
import { Groups } from './Groups.tsx'
import { useJobColumns } from './job-columns.tsx'
import type { Tally } from './jobs.ts'
import { RetryDialog } from './RetryDialog.tsx'
import { RetrySummary } from './RetrySummary.tsx'
import type { ParkedSearch } from './route.ts'
import { parkedTexts } from './texts.ts'

const route = getRouteApi('/parked')
const everyMs = 5_000

export function ParkedScreen() {
  const t = useTexts(parkedTexts)
  const { language } = usePreferences()
  const search = route.useSearch()
  const mayDecide = useRight('messages')
  const { data, error, refetch } = useRead('listParkedGroups', {}, { everyMs })
  const [retryRequest, setRetryRequest] = useState<RetryRequest | null>(null)
  const [dropping, setDropping] = useState<Group | null>(null)
  const [tally, setTally] = useState<Tally | null>(null)
  const readable = data?.groups.filter(({ stage }) => stage !== 'unreadable') ?? []
  const total = formatCount(countJobs(readable), language)
  return (
    <>
      <PageHead
        title={t.title}
        hint={t.hint}
        actions={
          mayDecide && readable.length > 0 ? (
            <button
              type="button"
              className="button"
              onClick={() => setRetryRequest({ kind: 'all', groups: data!.groups })}
            >
              {t.retryAll(data!.more ? t.moreThan(total) : total)}
            </button>
          ) : undefined
        }
      />
      {mayDecide ? null : <p className="small muted">{t.mayNot}</p>}
      {error === null ? null : <ProblemNotice problem={error} onRetry={() => void refetch()} />}
      <RetrySummary tally={tally} />
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : null
      ) : data.groups.length === 0 ? (
        <div className="card empty">
          <p>{t.emptyTitle}</p>
          <p>{t.empty}</p>
        </div>
      ) : (
        <>
          <Groups groups={data.groups} mayDecide={mayDecide} onRetry={setRetryRequest} onDrop={setDropping} />
          <Jobs search={search} />
        </>
      )}
      {retryRequest === null ? null : (
        <RetryDialog request={retryRequest} onDone={setTally} onClose={() => setRetryRequest(null)} />
      )}
      {dropping === null ? null : <DropDialog group={dropping} onClose={() => setDropping(null)} />}
    </>
  )
}

function countJobs(groups: readonly Group[]): number {
  return groups.reduce((sum, { jobs }) => sum + jobs, 0)
}

function Jobs({ search: { stage, reason } }: { readonly search: ParkedSearch }) {
  const t = useTexts(parkedTexts)
  const columns = useJobColumns()
  // `null` stands for the jobs without a reason, `undefined` for jobs with any reason or none.
  const ofReason = reason === null ? { withoutReason: true } : { parkedReason: reason }
  const pages = usePages('listParked', { query: { stage, ...ofReason, limit: 50 } }, { everyMs })
  const filters: string[] = []
  if (stage !== undefined) filters.push(t[`stage-${stage}`])
  if (reason !== undefined) filters.push(reason ?? t.noReason)
  return (
    <div className="parked-jobs">
      <h2>{t.jobs}</h2>
      {filters.length === 0 ? null : (
        <p>
          {t.showing(filters.join(' · '))} · <Link to="/parked">{t.all}</Link>
        </p>
      )}
      <DataTable
        caption={t.jobs}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => String(id)}
        empty={<p>{t.noMatch}</p>}
      />
    </div>
  )
}
