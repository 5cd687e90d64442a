/** Lists accounts with search by client ID or name. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages, type Item } from '../../api/queries.ts'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { SearchBox } from '../../components/SearchBox.tsx'
import '../../components/section.css'
import { useRight } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { CreateAccount, type FirstCredentials } from './CreateAccount.tsx'
import { CreatedAccount } from './CreatedAccount.tsx'
import { StateBadge } from './StateBadge.tsx'
import { accountsTexts } from './texts.ts'

type Account = Item<'listAccounts'>

const route = getRouteApi('/accounts')
const states = [undefined, 'active', 'blocked'] as const

export function AccountsScreen() {
  const t = useTexts(accountsTexts)
  const { q, state } = route.useSearch()
  const navigate = route.useNavigate()
  const mayCreate = useRight('credentials')
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<FirstCredentials | null>(null)
  const pages = usePages('listAccounts', {
    query: { search: q, blocked: state === undefined ? undefined : state === 'blocked' },
  })
  return (
    <>
      <PageHead
        title={t.title}
        hint={t.hint}
        actions={
          mayCreate ? (
            <button type="button" className="button primary" onClick={() => setCreating(true)}>
              {t.create}
            </button>
          ) : undefined
        }
      />
      <div className="list-filters">
        <SearchBox
          label={t.search}
          value={q ?? ''}
          onSearch={(text) =>
            void navigate({
              search: (before) => ({ ...before, q: text === '' ? undefined : text }),
              replace: true,
            })
          }
        />
        <div className="chips" role="group" aria-label={t.filter}>
          {states.map((one) => (
            <Link
              key={one ?? 'all'}
              to="/accounts"
              search={{ q, state: one }}
              activeOptions={{ exact: true }}
            >
              {t[`filter-${one ?? 'all'}`]}
            </Link>
          ))}
        </div>
      </div>
      <DataTable
        caption={t.title}
        columns={useColumns()}
        pages={pages}
        rowKey={({ clientId }) => clientId}
        empty={q === undefined && state === undefined ? t.none : t.noMatch}
      />
      {creating ? <CreateAccount onCreated={setMade} onClose={() => setCreating(false)} /> : null}
      {made === null ? null : (
        <CreatedAccount
          made={made}
          onClose={() => {
            setMade(null)
            void navigate({ to: '/accounts/$id', params: { id: made.clientId } })
          }}
        />
      )}
    </>
  )
}

function useColumns(): readonly Column<Account>[] {
  const t = useTexts(accountsTexts)
  return [
    {
      id: 'account',
      head: t.account,
      isRowHeader: true,
      cell: ({ clientId, name }) => (
        <div className="stack">
          <Link to="/accounts/$id" params={{ id: clientId }}>
            {name === '' ? clientId : name}
          </Link>
          <span className="small muted mono">{clientId}</span>
        </div>
      ),
    },
    { id: 'state', head: t.state, cell: ({ state }) => <StateBadge state={state} /> },
    {
      id: 'send',
      head: t.sendLimit,
      align: 'end',
      cell: ({ limits: { send } }) =>
        send === null ? t.standard : send === 0 ? t.unlimited : t.perSecond(send),
    },
    { id: 'lane', head: t.lane, cell: ({ lane }) => t[`lane-${lane ?? 'by-kind'}`] },
    { id: 'weight', head: t.weight, align: 'end', cell: ({ weight }) => weight },
    { id: 'polling', head: t.reports, cell: ({ polling }) => (polling ? t.polls : t.pushedOnly) },
  ]
}
