/** Lists webhook pushes of a message's reports and replays them. */
import { useState } from 'react'
import { useChange } from '../../../api/queries.ts'
import { Badge, type Tone } from '../../../components/Badge.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { allRows } from '../../../components/as-pages.ts'
import { DataTable, type Column } from '../../../components/DataTable.tsx'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { Time } from '../../../components/Time.tsx'
import { useMay } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { Message } from './stops.ts'
import { messageTexts } from './texts.ts'

type Push = Message['pushes'][number]

const tones: Readonly<Record<Push['state'], Tone>> = {
  acknowledged: 'ok',
  retrying: 'warn',
  'given-up': 'bad',
  queued: 'info',
  disabled: 'warn',
  earlier: 'idle',
  forgotten: 'idle',
}

export function Pushes({ message: { msgKey, pushes } }: { readonly message: Message }) {
  const t = useTexts(messageTexts)
  const mayReplay = useMay('webhooks', 'replayWebhook')
  const replay = useChange('replayWebhook')
  const [chosen, setChosen] = useState<Push | null>(null)
  const columns: readonly Column<Push>[] = [
    {
      id: 'webhook',
      head: t.webhook,
      isRowHeader: true,
      cell: ({ webhookId, url }) => (
        <ScreenLink path={`/admin/v1/webhooks/${webhookId}`}>
          <span className="wrap">{url}</span>
        </ScreenLink>
      ),
    },
    { id: 'step', head: t.reportOf, align: 'end', cell: ({ step }) => step },
    { id: 'state', head: t.pushState, cell: (push) => <State push={push} /> },
    { id: 'lastTry', head: t.lastTry, cell: (push) => <LastTry push={push} /> },
    {
      id: 'replay',
      head: t.replay,
      // A replay pushes all reports of the message, so offer it once per webhook.
      cell: (push) =>
        mayReplay && push.state !== 'forgotten' && isFirst(push, pushes) ? (
          <button type="button" className="button plain" onClick={() => setChosen(push)}>
            {t.replay}
            <span className="hidden-visually">: {push.url}</span>
          </button>
        ) : (
          <span className="muted">–</span>
        ),
    },
  ]
  return (
    <div className="message-section">
      <h2>{t.pushes}</h2>
      <DataTable
        caption={t.pushes}
        columns={columns}
        pages={allRows(pushes)}
        rowKey={({ webhookId, step }) => `${webhookId}-${step}`}
        empty={t.noPushes}
      />
      {chosen === null ? null : (
        <Confirm
          title={t.replayTitle(chosen.url)}
          confirmLabel={t.replay}
          reason="optional"
          onConfirm={(reason) =>
            replay.mutateAsync({
              params: { webhookId: chosen.webhookId },
              body: { msgKey, ...(reason === '' ? {} : { reason }) },
            })
          }
          onClose={() => setChosen(null)}
        >
          {t.replayEffect}
        </Confirm>
      )}
    </div>
  )
}

function isFirst(push: Push, pushes: readonly Push[]): boolean {
  return pushes.find(({ webhookId }) => webhookId === push.webhookId) === push
}

function State({ push: { state, tries } }: { readonly push: Push }) {
  const t = useTexts(messageTexts)
  return (
    <span className="inline">
      <Badge tone={tones[state]}>{t[`push-${state}`]}</Badge>
      {tries === null || tries === 0 ? null : <span className="muted">{t.failedTries(tries)}</span>}
    </span>
  )
}

function LastTry({ push: { triedAt, httpStatus, error, retryAt } }: { readonly push: Push }) {
  const t = useTexts(messageTexts)
  if (triedAt === null && retryAt === null) return <span className="muted">–</span>
  return (
    <>
      {triedAt === null ? null : (
        <span className="inline">
          <Time at={triedAt} short />
          {httpStatus === null ? null : <span className="mono">HTTP {httpStatus}</span>}
        </span>
      )}
      {error === '' ? null : (
        <div className="small wrap" lang="en">
          {error}
        </div>
      )}
      {retryAt === null ? null : (
        <div className="small muted">
          {t.nextTry} <Time at={retryAt} short />
        </div>
      )}
    </>
  )
}
