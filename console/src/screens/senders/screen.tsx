/**
 * Lists senders by state: operators see those of all accounts, pending ones by default; client users see all of their
 * own.
 */
import '../../components/section.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages, type Item } from '../../api/queries.ts'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { SelectField } from '../../components/Field.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { SearchBox } from '../../components/SearchBox.tsx'
import { Time } from '../../components/Time.tsx'
import { useClientAccount, useMay, useRight } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { AddSender } from './AddSender.tsx'
import { DecisionDialog } from './DecisionDialog.tsx'
import { SenderBadge } from './SenderBadge.tsx'
import {
  decisionsByState,
  senderKinds,
  senderStates,
  type SenderDecision,
  type SenderKind,
} from './states.ts'
import { sendersTexts } from './texts.ts'
import { ValidUntil } from './ValidUntil.tsx'

type Sender = Item<'listSenders'>

interface OpenDecision {
  readonly decision: SenderDecision
  readonly sender: Sender
}

const route = getRouteApi('/senders')

export function SendersScreen() {
  const t = useTexts(sendersTexts)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayAdd = useMay('senders', 'addSender')
  const mayDecide = useRight('senders')
  const ownAccount = useClientAccount()
  const [adding, setAdding] = useState(false)
  const [openDecision, setOpenDecision] = useState<OpenDecision | null>(null)
  const { kind, account } = search
  const defaultState = ownAccount === null ? 'pending' : 'all'
  const { state = defaultState } = search
  const pages = usePages('listSenders', {
    query: { state: state === 'all' ? undefined : state, kind, account },
  })
  const columns = useColumns({ mayDecide, hasAccounts: ownAccount === null, onDecide: setOpenDecision })
  return (
    <>
      <PageHead
        title={t.title}
        hint={ownAccount === null ? t.hint : t.ownHint}
        actions={
          mayAdd ? (
            <button type="button" className="button primary" onClick={() => setAdding(true)}>
              {ownAccount === null ? t.add : t.request}
            </button>
          ) : undefined
        }
      />
      <div className="chips" role="group" aria-label={t.filter}>
        {[...senderStates, 'all' as const].map((option) => (
          <Link
            key={option}
            to="/senders"
            search={{ ...search, state: option === defaultState ? undefined : option }}
            activeOptions={{ exact: true }}
          >
            {t[`filter-${option}`]}
          </Link>
        ))}
      </div>
      <div className="list-filters">
        {ownAccount === null ? (
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
        <SelectField<SenderKind | 'any'>
          label={t.kind}
          value={kind ?? 'any'}
          onValue={(chosen) =>
            void navigate({
              search: (before) => ({ ...before, kind: chosen === 'any' ? undefined : chosen }),
            })
          }
          options={[
            ['any', t.anyKind] as const,
            ...senderKinds.map((option) => [option, t[`kind-${option}`]] as const),
          ]}
        />
      </div>
      <DataTable
        caption={t.title}
        columns={columns}
        pages={pages}
        rowKey={({ id }) => id}
        empty={state === 'pending' ? t.nonePending : ownAccount === null ? t.none : t.noneOwn}
      />
      {adding ? (
        <AddSender own={ownAccount} account={ownAccount ?? account ?? ''} onClose={() => setAdding(false)} />
      ) : null}
      {openDecision === null ? null : (
        <DecisionDialog {...openDecision} onClose={() => setOpenDecision(null)} />
      )}
    </>
  )
}

interface ColumnOptions {
  readonly mayDecide: boolean
  readonly hasAccounts: boolean
  readonly onDecide: (openDecision: OpenDecision) => void
}

function useColumns({ mayDecide, hasAccounts, onDecide }: ColumnOptions): readonly Column<Sender>[] {
  const t = useTexts(sendersTexts)
  return [
    {
      id: 'sender',
      head: t.sender,
      isRowHeader: true,
      cell: ({ id, account, value, kind }) => (
        <div className="stack">
          <Link to="/senders/$account/$id" params={{ account, id }} className="mono">
            {value}
          </Link>
          <span className="small muted">{t[`kind-${kind}`]}</span>
        </div>
      ),
    },
    ...(hasAccounts
      ? [
          {
            id: 'account',
            head: t.account,
            cell: ({ account }: Sender) => (
              <Link to="/accounts/$id" params={{ id: account }}>
                {account}
              </Link>
            ),
          },
        ]
      : []),
    { id: 'state', head: t.state, cell: ({ state }) => <SenderBadge state={state} /> },
    {
      id: 'proof',
      head: t.proof,
      cell: ({ proof }) =>
        proof === null ? <span className="muted">{t.noProof}</span> : t[`proof-${proof}`],
    },
    { id: 'until', head: t.validUntil, cell: ({ validUntil }) => <ValidUntil at={validUntil} /> },
    { id: 'registered', head: t.registered, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...(mayDecide
      ? [
          {
            id: 'actions',
            head: t.actions,
            cell: (sender: Sender) => (
              <div className="row-actions">
                {decisionsByState[sender.state].map((decision) => (
                  <button
                    key={decision}
                    type="button"
                    className="button plain"
                    onClick={() => onDecide({ decision, sender })}
                  >
                    {t[decision]}
                    <span className="hidden-visually"> {sender.value}</span>
                  </button>
                ))}
              </div>
            ),
          },
        ]
      : []),
  ]
}
