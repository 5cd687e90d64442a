/** Asks before many jobs are retried: how many, what happens to them, and which stay. Shows how far it has come. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { causeOf } from './causes.ts'
import { toChoice, type Asked, type Group } from './choice.ts'
import { retryChoice, type Tally } from './jobs.ts'
import { causeTexts, parkedTexts } from './texts.ts'

interface Props {
  readonly asked: Asked
  readonly onDone: (tally: Tally) => void
  readonly onClose: () => void
}

export function RetryDialog({ asked, onDone, onClose }: Props) {
  const t = useTexts(parkedTexts)
  const causes = useTexts(causeTexts)
  const { language } = usePreferences()
  const client = useQueryClient()
  const [progress, setProgress] = useState<number | null>(null)
  const groups = asked.kind === 'reason' ? [asked.group] : asked.groups
  const [readable, unreadable] = [countOf(groups, false), countOf(groups, true)]
  const count = formatCount(readable, language)
  const title =
    asked.kind === 'all'
      ? t.retryTitleAll(count)
      : asked.kind === 'stage'
        ? t.retryTitleStage(count, t[`stage-${asked.stage}`])
        : t.retryTitleReason(count, asked.group.reason ?? t.noReason)
  return (
    <Confirm
      title={title}
      confirmLabel={t.retry}
      onConfirm={async (reason) => {
        onDone(await retryChoice(toChoice(asked, groups), reason, setProgress))
        await client.invalidateQueries()
      }}
      onClose={onClose}
    >
      <p>{t.retryEffect}</p>
      <p>
        <strong>{t.retryFixFirst}</strong>
      </p>
      {asked.kind === 'reason' ? (
        <p>{causes[`action-${causeOf(asked.group.stage, asked.group.reason)}`]}</p>
      ) : null}
      {unreadable > 0 ? <p>{t.unreadableStay(formatCount(unreadable, language))}</p> : null}
      <p role="status">{progress === null ? null : t.progress(formatCount(progress, language), count)}</p>
    </Confirm>
  )
}

function countOf(groups: readonly Group[], unreadable: boolean): number {
  return groups
    .filter(({ stage }) => (stage === 'unreadable') === unreadable)
    .reduce((sum, { jobs }) => sum + jobs, 0)
}
