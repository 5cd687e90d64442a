/** The last day of a sender, which ends in Korea. */
import { useTexts } from '../../texts/texts.ts'
import { sendersTexts } from './texts.ts'

const koreaMs = 9 * 3_600_000

export function ValidUntil({ at }: { readonly at: string | null }) {
  const t = useTexts(sendersTexts)
  if (at === null) return <span className="muted">{t.noEnd}</span>
  // The time is the end of the day: a moment before it is in it.
  const day = new Date(Date.parse(at) - 1 + koreaMs).toISOString().slice(0, 10)
  return (
    <time dateTime={at} title={at} className="number">
      {day}
    </time>
  )
}
