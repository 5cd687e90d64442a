/** Lists batches of all accounts, newest first. */
import '../../components/section.css'
import './batches.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { usePages } from '../../api/queries.ts'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { SearchBox } from '../../components/SearchBox.tsx'
import { Time } from '../../components/Time.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { BatchBadge } from './BatchBadge.tsx'
import { reportedShare, formatShare, type Batch } from './progress.ts'
import { ProgressBar } from './ProgressBar.tsx'
import { batchStates } from './route.ts'
import { batchesTexts } from './texts.ts'

const route = getRouteApi('/batches')

export function BatchesScreen() {
  const t = useTexts(batchesTexts)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { state, account } = search
  const pages = usePages('listBatches', { query: { state, account } }, { everyMs: 5_000 })
  return (
    <>
      <PageHead title={t.title} hint={t.hint} />
      <div className="list-filters">
        <SearchBox
          label={t.accountFilter}
          value={account ?? ''}
          onSearch={(text) =>
            void navigate({
              search: (before) => ({ ...before, account: text === '' ? undefined : text }),
              replace: true,
            })
          }
        />
        <div className="chips" role="group" aria-label={t.filter}>
          {[undefined, ...batchStates].map((one) => (
            <Link
              key={one ?? 'all'}
              to="/batches"
              search={{ ...search, state: one }}
              activeOptions={{ exact: true }}
            >
              {one === undefined ? t.allStates : t[`state-${one}`]}
            </Link>
          ))}
        </div>
      </div>
      <DataTable
        caption={t.title}
        columns={useColumns()}
        pages={pages}
        rowKey={({ batchId }) => batchId}
        empty={t.none}
      />
    </>
  )
}

function useColumns(): readonly Column<Batch>[] {
  const t = useTexts(batchesTexts)
  const { language } = usePreferences()
  return [
    {
      id: 'batch',
      head: t.batch,
      isRowHeader: true,
      cell: ({ batchId, ref }) => (
        <Link to="/batches/$id" params={{ id: batchId }} className={ref === null ? 'mono' : undefined}>
          {ref ?? batchId}
        </Link>
      ),
    },
    {
      id: 'account',
      head: t.account,
      cell: ({ account }) => (
        <Link to="/accounts/$id" params={{ id: account }}>
          {account}
        </Link>
      ),
    },
    { id: 'state', head: t.state, cell: ({ state }) => <BatchBadge state={state} /> },
    {
      id: 'progress',
      head: t.progress,
      cell: (batch) => {
        const share = reportedShare(batch)
        return (
          <div className="batch-progress">
            <ProgressBar batch={batch} small />
            <span className="number">{share === null ? '–' : formatShare(share)}</span>
          </div>
        )
      },
    },
    { id: 'lines', head: t.lines, align: 'end', cell: ({ lines }) => formatCount(lines, language) },
    {
      id: 'failed',
      head: t['part-failed'],
      align: 'end',
      cell: ({ failed }) => formatCount(failed, language),
    },
    { id: 'created', head: t.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
}
