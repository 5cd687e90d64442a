/** Webhooks of an account, most severe state first. */
import { Link } from '@tanstack/react-router'
import { usePages, type Item } from '../../../api/queries.ts'
import { DataTable, type Column } from '../../../components/DataTable.tsx'
import { Section } from '../../../components/Section.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { WebhookBadge } from '../../webhooks/WebhookBadge.tsx'
import { webhooksTexts } from '../../webhooks/texts.ts'
import { accountTexts } from './texts.ts'

type Webhook = Item<'listWebhooks'>

export function AccountWebhooks({ id }: { readonly id: string }) {
  const t = useTexts(accountTexts)
  const webhooks = useTexts(webhooksTexts)
  const { language } = usePreferences()
  const pages = usePages('listWebhooks', { query: { account: id, order: 'trouble' } }, { everyMs: 10_000 })
  const columns: readonly Column<Webhook>[] = [
    {
      id: 'webhook',
      head: webhooks.receiver,
      isRowHeader: true,
      cell: (row) => (
        <Link to="/webhooks/$id" params={{ id: row.id }}>
          {row.name === '' ? row.url : row.name}
        </Link>
      ),
    },
    { id: 'state', head: webhooks.state, cell: (row) => <WebhookBadge webhook={row} /> },
    {
      id: 'behind',
      head: webhooks.behind,
      align: 'end',
      cell: ({ behind }) => formatCount(behind, language),
    },
  ]
  return (
    <Section title={t.webhooks}>
      <DataTable
        caption={t.webhooks}
        columns={columns}
        pages={pages}
        rowKey={(row) => row.id}
        empty={t.noWebhooks}
      />
    </Section>
  )
}
