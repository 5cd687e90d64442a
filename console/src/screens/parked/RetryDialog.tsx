/** Confirms retrying many jobs and shows the progress. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { findCause } from './causes.ts'
import { toSelection, type RetryRequest, type Group } from './choice.ts'
import { retryChoice, type Tally } from './jobs.ts'
import { causeTexts, parkedTexts } from './texts.ts'

interface Props {
  readonly request: RetryRequest
  readonly onDone: (tally: Tally) => void
  readonly onClose: () => void
}

export function RetryDialog({ request, onDone, onClose }: Props) {
  const t = useTexts(parkedTexts)
  const causes = useTexts(causeTexts)
  const { language } = usePreferences()
  const client = useQueryClient()
  const [progress, setProgress] = useState<number | null>(null)
  const groups = request.kind === 'reason' ? [request.group] : request.groups
  const [readable, unreadable] = [countJobs(groups, false), countJobs(groups, true)]
  const count = formatCount(readable, language)
  const title =
    request.kind === 'all'
      ? t.retryTitleAll(count)
      : request.kind === 'stage'
        ? t.retryTitleStage(count, t[`stage-${request.stage}`])
        : t.retryTitleReason(count, request.group.reason ?? t.noReason)
  return (
    <Confirm
      title={title}
      confirmLabel={t.retry}
      onConfirm={async (reason) => {
        onDone(await retryChoice(toSelection(request, groups), reason, setProgress))
        await client.invalidateQueries()
      }}
      onClose={onClose}
    >
      <p>{t.retryEffect}</p>
      <p>
        <strong>{t.retryFixFirst}</strong>
      </p>
      {request.kind === 'reason' ? (
        <p>{causes[`action-${findCause(request.group.stage, request.group.reason)}`]}</p>
      ) : null}
      {unreadable > 0 ? <p>{t.unreadableStay(formatCount(unreadable, language))}</p> : null}
      <p role="status">{progress === null ? null : t.progress(formatCount(progress, language), count)}</p>
    </Confirm>
  )
}

function countJobs(groups: readonly Group[], unreadable: boolean): number {
  return groups
    .filter(({ stage }) => (stage === 'unreadable') === unreadable)
    .reduce((sum, { jobs }) => sum + jobs, 0)
}
