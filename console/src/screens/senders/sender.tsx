/** Page of a sender with its proof and history. */
import '../../components/section.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Data } from '../../api/call.ts'
import { useRead } from '../../api/queries.ts'
import { allRows } from '../../components/as-pages.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { Loading } from '../../components/Loading.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { useClientAccount, useMay, useRight } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { DecisionDialog } from './DecisionDialog.tsx'
import { SenderBadge } from './SenderBadge.tsx'
import { decisionsByState, type SenderDecision } from './states.ts'
import { sendersTexts } from './texts.ts'
import { ValidUntil } from './ValidUntil.tsx'

type Sender = Data<'showSender'>
type Change = Sender['history'][number]

const route = getRouteApi('/senders/$account/$id')

export function SenderScreen() {
  const { account, id } = route.useParams()
  const t = useTexts(sendersTexts)
  const mayChange = useRight('senders')
  const [decision, setDecision] = useState<SenderDecision | null>(null)
  const [revealedSender, setRevealed] = useState<Sender | null>(null)
  const read = useRead('showSender', { params: { clientId: account, senderId: id } })
  const { data: sender } = read
  if (sender === undefined)
    return (
      <>
        <PageHead title={t.title} />
        {read.error === null ? (
          <Loading />
        ) : (
          <ProblemNotice problem={read.error} onRetry={() => void read.refetch()} />
        )}
      </>
    )
  // Hide a proof that has been replaced since it was revealed.
  const revealed = revealedSender?.updatedAt === sender.updatedAt ? revealedSender : null
  return (
    <>
      <PageHead
        title={sender.value}
        hint={
          <span className="inline">
            <Link to="/senders">{t.all}</Link>
            {t[`kind-${sender.kind}`]}
            <Link to="/accounts/$id" params={{ id: account }}>
              {account}
            </Link>
          </span>
        }
        actions={
          mayChange
            ? decisionsByState[sender.state].map((one) => (
                <button
                  key={one}
                  type="button"
                  className={
                    one === 'approve' ? 'button primary' : one === 'block' ? 'button danger' : 'button'
                  }
                  onClick={() => setDecision(one)}
                >
                  {t[one]}
                </button>
              ))
            : undefined
        }
      >
        <SenderBadge state={sender.state} />
      </PageHead>
      <ProofCard sender={sender} revealed={revealed} onReveal={setRevealed} />
      <History sender={revealed ?? sender} />
      {decision === null ? null : (
        <DecisionDialog decision={decision} sender={sender} onClose={() => setDecision(null)} />
      )}
    </>
  )
}

function ProofCard({
  sender,
  revealed,
  onReveal,
}: {
  readonly sender: Sender
  /** Includes the whole number and the references of its proofs. */
  readonly revealed: Sender | null
  readonly onReveal: (sender: Sender) => void
}) {
  const t = useTexts(sendersTexts)
  const mayReveal = useMay('reveal', 'showSender')
  const [confirming, setConfirming] = useState(false)
  const { id, account, value, proof, proofIssued, validUntil, createdAt, updatedAt } = sender
  return (
    <Section
      title={t.proof}
      actions={
        mayReveal && revealed === null ? (
          <button type="button" className="button" onClick={() => setConfirming(true)}>
            {t.reveal}
          </button>
        ) : undefined
      }
    >
      <dl className="fact-list">
        {revealed === null ? null : (
          <>
            <dt>{t.sender}</dt>
            <dd className="mono">{revealed.value}</dd>
            {revealed.proofReference === undefined ? null : (
              <>
                <dt>{t.revealed}</dt>
                <dd>{revealed.proofReference ?? t.noProof}</dd>
              </>
            )}
          </>
        )}
        <dt>{t.proofKind}</dt>
        <dd>{proof === null ? t.noProof : t[`proof-${proof}`]}</dd>
        <dt>{t.issued}</dt>
        <dd className="number">{proofIssued ?? '–'}</dd>
        <dt>{t.validUntil}</dt>
        <dd>
          <ValidUntil at={validUntil} />
        </dd>
        <dt>{t.registered}</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>{t.changed}</dt>
        <dd>
          <Time at={updatedAt} />
        </dd>
      </dl>
      {confirming ? (
        <Confirm
          title={t.revealTitle(value)}
          confirmLabel={t.reveal}
          onClose={() => setConfirming(false)}
          onConfirm={async (reason) =>
            onReveal(
              await call('showSender', {
                params: { clientId: account, senderId: id },
                query: { reveal: true, reason },
              }),
            )
          }
        >
          {t.revealEffect}
        </Confirm>
      ) : null}
    </Section>
  )
}

function History({ sender }: { readonly sender: Sender }) {
  const t = useTexts(sendersTexts)
  const isInternal = useClientAccount() === null
  const columns: readonly Column<Change>[] = [
    { id: 'when', head: t.when, cell: ({ at }) => <Time at={at} /> },
    {
      id: 'change',
      head: t.change,
      isRowHeader: true,
      cell: ({ from, to }) =>
        from === null
          ? t['change-registered'](t[`state-${to}`])
          : t['change-to'](t[`state-${from}`], t[`state-${to}`]),
    },
    {
      id: 'proof',
      head: t.proof,
      cell: ({ proof, proofIssued, proofReference }) =>
        proof === null
          ? '–'
          : [t[`proof-${proof}`], proofReference ?? null, proofIssued]
              .filter((part) => part !== null)
              .join(', '),
    },
    ...(isInternal
      ? [
          { id: 'by', head: t.by, cell: ({ by }: Change) => by },
          { id: 'why', head: t.why, cell: ({ reason }: Change) => reason },
        ]
      : []),
  ]
  return (
    <Section title={t.history}>
      <DataTable
        caption={t.history}
        columns={columns}
        pages={allRows(sender.history.toReversed())}
        rowKey={({ at, to }) => `${at} ${to}`}
      />
    </Section>
  )
}
