/** Search results, newest first, and how far back the search has read. */
import { Link } from '@tanstack/react-router'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { Time } from '../../components/Time.tsx'
import { useTexts } from '../../texts/texts.ts'
import { cancelledCode, deliveredCode } from './message/stops.ts'
import { searchTexts } from './texts.ts'
import { useCodes } from './use-codes.ts'
import type { MessageSummary, SearchPages } from './use-search.ts'

interface Props {
  readonly pages: SearchPages
  readonly isFiltered: boolean
  readonly isAccountFiltered: boolean
  /** False for client users, who see only their own account. */
  readonly hasAccounts: boolean
}

export function ResultTable({ pages, isFiltered, isAccountFiltered, hasAccounts }: Props) {
  const t = useTexts(searchTexts)
  const columns: readonly Column<MessageSummary>[] = [
    {
      id: 'msgKey',
      head: t.msgKey,
      isRowHeader: true,
      cell: ({ msgKey }) => (
        <Link className="mono key" to="/messages/$msgKey" params={{ msgKey }}>
          {msgKey}
        </Link>
      ),
    },
    { id: 'acceptedAt', head: t.acceptedAt, cell: ({ acceptedAt }) => <Time at={acceptedAt} /> },
    ...(hasAccounts ? [accountColumn(t)] : []),
    {
      id: 'recipient',
      head: t.recipient,
      cell: ({ recipient }) => <span className="mono">{recipient === '' ? t.erased : recipient}</span>,
    },
    {
      id: 'ref',
      head: t.ref,
      cell: ({ ref }) =>
        ref === null ? <span className="muted">–</span> : <span className="ref">{ref}</span>,
    },
    { id: 'outcome', head: t.outcome, cell: (row) => <Outcome row={row} /> },
  ]
  return (
    <div className="found">
      <DataTable
        caption={t.caption}
        columns={columns}
        pages={pages}
        rowKey={(row) => row.msgKey}
        empty={<Empty isFiltered={isFiltered} isAccountFiltered={isAccountFiltered} />}
      />
      {pages.hasMore && pages.searchedUntil !== null && !pages.loading ? (
        <p className="small muted">
          {t.searchedUntil} <Time at={pages.searchedUntil} />
        </p>
      ) : null}
    </div>
  )
}

function accountColumn(t: (typeof searchTexts)['en']): Column<MessageSummary> {
  return {
    id: 'account',
    head: t.account,
    cell: ({ account }) =>
      account === null ? (
        <span className="muted">{t.noAccount}</span>
      ) : (
        <ScreenLink path={`/admin/v1/accounts/${encodeURIComponent(account)}`}>{account}</ScreenLink>
      ),
  }
}

function Outcome({ row: { state, code, codeText } }: { readonly row: MessageSummary }) {
  const t = useTexts(searchTexts)
  const meaning = useCodes().get(code ?? '')
  if (state === 'open' || code === null)
    return <Badge tone={state === 'open' ? 'info' : 'idle'}>{state === 'open' ? t.open : t.closed}</Badge>
  return (
    <span className="outcome">
      <Badge tone={codeTone(code, meaning?.delivered)}>{code}</Badge>{' '}
      <span lang={meaning === undefined ? 'en' : undefined}>{meaning?.text ?? codeText}</span>
    </span>
  )
}

/** A cancelled message does not count as failed. */
function codeTone(code: string, delivered: boolean | undefined): Tone {
  if (delivered ?? code === deliveredCode) return 'ok'
  return code === cancelledCode ? 'idle' : 'bad'
}

function Empty({
  isFiltered,
  isAccountFiltered,
}: {
  readonly isFiltered: boolean
  readonly isAccountFiltered: boolean
}) {
  const t = useTexts(searchTexts)
  if (!isFiltered) return <p>{t.emptyFirst}</p>
  return (
    <div className="empty-help">
      <h2>{t.emptyTitle}</h2>
      <ul>
        <li>{t.emptyFilters}</li>
        {isAccountFiltered ? <li>{t.emptyAccount}</li> : null}
        <li>{t.emptyRefused}</li>
        <li>{t.emptyRetention}</li>
        <li>{t.emptyKey}</li>
      </ul>
    </div>
  )
}
