/** Senders of an account, newest first. */
import { Link } from '@tanstack/react-router'
import { usePages, type Item } from '../../../api/queries.ts'
import { DataTable, type Column } from '../../../components/DataTable.tsx'
import { Section } from '../../../components/Section.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { SenderBadge } from '../../senders/SenderBadge.tsx'
import { sendersTexts } from '../../senders/texts.ts'
import { ValidUntil } from '../../senders/ValidUntil.tsx'
import { accountTexts } from './texts.ts'

type Sender = Item<'listSenders'>

const pageSize = 10

export function AccountSenders({ id }: { readonly id: string }) {
  const t = useTexts(accountTexts)
  const senders = useTexts(sendersTexts)
  const pages = usePages('listSenders', { query: { account: id, limit: pageSize } })
  const columns: readonly Column<Sender>[] = [
    {
      id: 'sender',
      head: senders.sender,
      isRowHeader: true,
      cell: ({ id: senderId, value }) => (
        <Link to="/senders/$account/$id" params={{ account: id, id: senderId }} className="mono">
          {value}
        </Link>
      ),
    },
    { id: 'kind', head: senders.kind, cell: ({ kind }) => senders[`kind-${kind}`] },
    { id: 'state', head: senders.state, cell: ({ state }) => <SenderBadge state={state} /> },
    { id: 'until', head: senders.validUntil, cell: ({ validUntil }) => <ValidUntil at={validUntil} /> },
  ]
  return (
    <Section
      title={t.senders}
      actions={
        <Link to="/senders" search={{ account: id, state: 'all' }} className="button">
          {t.manageSenders}
        </Link>
      }
    >
      <DataTable
        caption={t.senders}
        columns={columns}
        pages={pages}
        rowKey={(row) => row.id}
        empty={t.noSenders}
      />
    </Section>
  )
}
