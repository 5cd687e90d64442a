import '../../components/filters.css'
import './audit.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { usePages, type Item } from '../../api/queries.ts'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { Time } from '../../components/Time.tsx'
import { useRight, useSession } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { Chain } from './Chain.tsx'
import { Export } from './Export.tsx'
import { AuditFilters } from './Filters.tsx'
import { Result } from './Result.tsx'
import type { AuditSearch } from './route.ts'
import { auditTexts } from './texts.ts'

type Row = Item<'listAudit'>

const route = getRouteApi('/audit')

export function AuditScreen() {
  const t = useTexts(auditTexts)
  const { operator } = useSession()
  const search = route.useSearch()
  if (!useRight('audit'))
    return (
      <>
        <PageHead title={t.title} />
        <div className="card empty">{t.mayNot(operator?.role ?? '')}</div>
      </>
    )
  return (
    <>
      <PageHead title={t.title} hint={t.hint} actions={<Export search={search} />} />
      <Chain />
      <AuditFilters key={JSON.stringify(search)} search={search} />
      <Rows search={search} />
    </>
  )
}

function Rows({ search }: { readonly search: AuditSearch }) {
  const t = useTexts(auditTexts)
  const rows = usePages('listAudit', { query: { ...search, limit: 50 } }, { everyMs: 10_000 })
  const filtered = Object.values(search).some((value) => value !== undefined)
  const only = (field: keyof AuditSearch, text: string) => (
    <Link to="/audit" search={{ ...search, [field]: text }} title={t.only(text)}>
      {text}
    </Link>
  )
  const columns: readonly Column<Row>[] = [
    {
      id: 'row',
      head: t.row,
      isRowHeader: true,
      cell: ({ seq }) => (
        <Link to="/audit/$seq" params={{ seq: String(seq) }} className="number">
          {seq}
        </Link>
      ),
    },
    { id: 'time', head: t.time, cell: ({ at }) => <Time at={at} /> },
    {
      id: 'who',
      head: t.who,
      cell: ({ actor, role, source }) => (
        <>
          {only('actor', actor)}
          <div className="small muted">
            {role} · {source}
          </div>
        </>
      ),
    },
    { id: 'act', head: t.act, cell: ({ action }) => only('action', action) },
    { id: 'result', head: t.result, cell: ({ result }) => <Result result={result} /> },
    {
      id: 'object',
      head: t.object,
      cell: ({ target, account }) => (
        <>
          {only('target', target)}
          {account === null || account === target ? null : (
            <div className="small">
              {t.account} {only('account', account)}
            </div>
          )}
        </>
      ),
    },
    { id: 'reason', head: t.reason, cell: ({ reason }) => <span className="words">{reason}</span> },
  ]
  return (
    <DataTable
      caption={t.caption}
      columns={columns}
      pages={rows}
      rowKey={({ seq }) => String(seq)}
      empty={filtered ? t.emptyFiltered : t.empty}
    />
  )
}
