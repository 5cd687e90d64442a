/** Confirms dropping a group of jobs and shows the progress. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import type { Group } from './choice.ts'
import { parkedTexts } from './texts.ts'

interface Props {
  readonly group: Group
  readonly onClose: () => void
}

export function DropDialog({ group, onClose }: Props) {
  const t = useTexts(parkedTexts)
  const { language } = usePreferences()
  const client = useQueryClient()
  const [dropped, setDropped] = useState<number | null>(null)
  const count = formatCount(group.jobs, language)
  return (
    <Confirm
      title={t.dropTitle(count, group.reason ?? t.noReason)}
      confirmLabel={t.drop}
      danger
      onConfirm={async (reason) => {
        await dropGroup(group, reason, setDropped)
        await client.invalidateQueries()
      }}
      onClose={onClose}
    >
      <p>{t[`dropEffect-${group.stage}`]}</p>
      <p role="status">{dropped === null ? null : t.dropProgress(formatCount(dropped, language), count)}</p>
    </Confirm>
  )
}

/** Repeats the request, because the API drops at most 200 jobs at a time. */
async function dropGroup(
  { stage, reason: parkedReason, lastId }: Group,
  reason: string,
  onProgress: (dropped: number) => void,
): Promise<void> {
  let [dropped, afterId] = [0, 0]
  for (;;) {
    const response = await call('dropParkedGroup', { body: { stage, parkedReason, lastId, afterId, reason } })
    dropped += response.dropped
    onProgress(dropped)
    if (!response.more || response.nextAfterId === null) return
    afterId = response.nextAfterId
  }
}
