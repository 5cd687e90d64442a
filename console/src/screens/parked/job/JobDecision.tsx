/** Retries or drops one job after showing the effect on its message. */
import { useState } from 'react'
import type { Data } from '../../../api/call.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { addToTally, emptyTally, type Tally } from '../jobs.ts'
import { jobTexts } from './texts.ts'

export type JobDetails = Data<'showParked'>

interface Props {
  readonly job: JobDetails
  readonly onRetried: (tally: Tally) => void
  readonly onDropped: () => void
}

export function JobDecision({ job: { id, stage }, onRetried, onDropped }: Props) {
  const t = useTexts(jobTexts)
  const mayDecide = useRight('messages')
  const retry = useChange('retryParked')
  const drop = useChange('dropParked')
  const [chosen, setChosen] = useState<'retry' | 'drop' | null>(null)
  const close = (): void => setChosen(null)
  if (!mayDecide) return <p className="small muted">{t.mayNot}</p>
  return (
    <div className="inline">
      {stage === 'unreadable' ? null : (
        <button type="button" className="button primary" onClick={() => setChosen('retry')}>
          {t.retry}
        </button>
      )}
      <button type="button" className="button" onClick={() => setChosen('drop')}>
        {t.drop}
      </button>
      {chosen === 'retry' ? (
        <Confirm
          title={t.retryTitle(String(id))}
          confirmLabel={t.retry}
          onConfirm={async (reason) =>
            onRetried(addToTally(emptyTally, await retry.mutateAsync({ body: { ids: [id], reason } })))
          }
          onClose={close}
        >
          <p>{t[`retry-${stage}`]}</p>
          <p>{t['retry-again']}</p>
        </Confirm>
      ) : null}
      {chosen === 'drop' ? (
        <Confirm
          title={t.dropTitle(String(id))}
          confirmLabel={t.drop}
          danger
          onConfirm={async (reason) => {
            await drop.mutateAsync({ params: { id }, body: { reason } })
            onDropped()
          }}
          onClose={close}
        >
          <p>{t[`drop-${stage}`]}</p>
          <p>
            <strong>{t.dropFinal}</strong>
          </p>
        </Confirm>
      ) : null}
    </div>
  )
}
