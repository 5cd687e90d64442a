/** Lists submissions with carrier responses and receipts, and marks late and repeated receipts. */
import { Badge } from '../../../components/Badge.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { allRows } from '../../../components/as-pages.ts'
import { DataTable, type Column } from '../../../components/DataTable.tsx'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { Time } from '../../../components/Time.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { useClientAccount } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { formatGap } from './events/event-words.ts'
import type { Message } from './stops.ts'
import { messageTexts } from './texts.ts'

type Attempt = Message['attempts'][number]

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const t = useTexts(messageTexts)
  const isInternal = useClientAccount() === null
  const columns: readonly Column<Attempt>[] = [
    {
      id: 'attempt',
      head: t.attempt,
      isRowHeader: true,
      cell: ({ step, try: nth, part, parts }) =>
        `${step} · ${nth} · ${part === 0 || parts === 1 ? t.wholeText : t.part(part, parts)}`,
    },
    ...(isInternal ? [routeColumn(t)] : []),
    { id: 'submittedAt', head: t.submittedAt, cell: ({ submittedAt }) => <Time at={submittedAt} /> },
    { id: 'answer', head: t.answer, cell: (attempt) => <Answer attempt={attempt} /> },
    ...(isInternal ? [carrierIdColumn(t)] : []),
    { id: 'receipt', head: t.receipt, cell: (attempt) => <Receipt attempt={attempt} /> },
  ]
  return (
    <div className="message-section">
      <h2>{t.attempts}</h2>
      <DataTable
        caption={t.attempts}
        columns={columns}
        pages={allRows(attempts)}
        rowKey={({ step, try: nth, part }) => `${step}-${nth}-${part}`}
        empty={t.noAttempts}
      />
    </div>
  )
}

type Texts = (typeof messageTexts)['en']

function routeColumn(t: Texts): Column<Attempt> {
  return {
    id: 'route',
    head: t.route,
    cell: ({ route = '', routeReason = null }) => (
      <>
        <ScreenLink path={`/admin/v1/routes/${encodeURIComponent(route)}`}>{route}</ScreenLink>
        {routeReason === null ? null : (
          <div className="small muted" lang="en">
            {routeReason}
          </div>
        )}
      </>
    ),
  }
}

function carrierIdColumn(t: Texts): Column<Attempt> {
  return {
    id: 'carrierId',
    head: t.carrierId,
    cell: ({ carrierId = null }) =>
      carrierId === null ? (
        <span className="muted">–</span>
      ) : (
        <span className="inline">
          <span className="mono wrap">{carrierId}</span>
          <CopyButton text={carrierId} what={carrierId} />
        </span>
      ),
  }
}

const answerTones = { accepted: 'ok', refused: 'bad', unknown: 'warn' } as const

function Answer({ attempt: { outcome, outcomeCode, cause, result } }: { readonly attempt: Attempt }) {
  const t = useTexts(messageTexts)
  return (
    <span className="inline">
      <Badge tone={answerTones[outcome]}>{t[`answer-${outcome}`]}</Badge>
      {outcomeCode === null ? null : <span className="mono">{outcomeCode}</span>}
      {cause === null || result !== null ? null : <span className="muted">{cause}</span>}
    </span>
  )
}

function Receipt({ attempt }: { readonly attempt: Attempt }) {
  const t = useTexts(messageTexts)
  const { language } = usePreferences()
  const { result, receiptCode, cause, receivedAt, submittedAt, outcome, late, receipts, deliveredTwice } =
    attempt
  if (result === null) return <span className="muted">{outcome === 'refused' ? '–' : t.noReceipt}</span>
  return (
    <div className="receipt">
      <span className="inline">
        <Badge tone={result === 'delivered' ? 'ok' : 'bad'}>{t[result]}</Badge>
        {receiptCode === null ? null : <span className="mono">{receiptCode}</span>}
        {result === 'failed' && cause !== null ? <span className="muted">{cause}</span> : null}
        {late ? <Badge tone="warn">{t.late}</Badge> : null}
        {receipts > 1 ? <Badge tone="warn">{t.repeated(receipts)}</Badge> : null}
        {deliveredTwice ? <Badge tone="warn">{t.deliveredTwice}</Badge> : null}
      </span>
      {receivedAt === null ? null : (
        <div className="small muted">
          <Time at={receivedAt} short />
          {' · '}
          {t.after(formatGap(Date.parse(receivedAt) - Date.parse(submittedAt), language))}
        </div>
      )}
    </div>
  )
}
