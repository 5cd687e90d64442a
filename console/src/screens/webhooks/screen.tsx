/** Lists webhooks of all accounts, most severe state first. */
import '../../components/section.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { usePages } from '../../api/queries.ts'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { SearchBox } from '../../components/SearchBox.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { useClientAccount } from '../../session/session.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { webhookStates } from './route.ts'
import { webhooksTexts } from './texts.ts'
import { useUpTo } from './up-to.ts'
import { WebhookBadge, type Webhook } from './WebhookBadge.tsx'

const route = getRouteApi('/webhooks')

export function WebhooksScreen() {
  const t = useTexts(webhooksTexts)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { state, account } = search
  const hasAccounts = useClientAccount() === null
  const pages = usePages('listWebhooks', { query: { state, account, order: 'trouble' } }, { everyMs: 5_000 })
  return (
    <>
      <PageHead title={t.title} hint={hasAccounts ? t.hint : t.ownHint} />
      <div className="list-filters">
        {hasAccounts ? (
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
        ) : null}
        <div className="chips" role="group" aria-label={t.filter}>
          {[undefined, ...webhookStates].map((one) => (
            <Link
              key={one ?? 'all'}
              to="/webhooks"
              search={{ ...search, state: one }}
              activeOptions={{ exact: true }}
            >
              {t[`filter-${one ?? 'all'}`]}
            </Link>
          ))}
        </div>
      </div>
      <DataTable
        caption={t.title}
        columns={useColumns(hasAccounts)}
        pages={pages}
        rowKey={({ id }) => id}
        empty={state === 'failing' ? t.noneFailing : hasAccounts ? t.none : t.noneOwn}
      />
    </>
  )
}

function useColumns(hasAccounts: boolean): readonly Column<Webhook>[] {
  const t = useTexts(webhooksTexts)
  const { language } = usePreferences()
  const upTo = useUpTo()
  return [
    {
      id: 'receiver',
      head: t.receiver,
      isRowHeader: true,
      cell: ({ id, name, url, events }) => (
        <div className="stack">
          <Link to="/webhooks/$id" params={{ id }}>
            {name === '' ? url : name}
          </Link>
          <span className="small muted">
            {name === '' ? '' : `${url} · `}
            {t[`events-${events}`]}
          </span>
        </div>
      ),
    },
    ...(hasAccounts ? [accountColumn(t.account)] : []),
    { id: 'state', head: t.state, cell: (webhook) => <WebhookBadge webhook={webhook} /> },
    { id: 'behind', head: t.behind, align: 'end', cell: ({ behind }) => formatCount(behind, language) },
    { id: 'retrying', head: t.retrying, align: 'end', cell: ({ retrying }) => upTo(retrying) },
    { id: 'givenUp', head: t.givenUp, align: 'end', cell: ({ givenUp }) => upTo(givenUp) },
  ]
}

function accountColumn(head: string): Column<Webhook> {
  return {
    id: 'account',
    head,
    cell: ({ account }) => (
      <Link to="/accounts/$id" params={{ id: account }}>
        {account}
      </Link>
    ),
  }
}
