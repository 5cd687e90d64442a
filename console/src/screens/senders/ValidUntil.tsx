/** Last valid day of a sender, in Korean time. */
import { useTexts } from '../../texts/texts.ts'
import { sendersTexts } from './texts.ts'

const koreaMs = 9 * 3_600_000

export function ValidUntil({ at }: { readonly at: string | null }) {
  const t = useTexts(sendersTexts)
  if (at === null) return <span className="muted">{t.noEnd}</span>
  // The time is midnight at the end of the day; one millisecond earlier is on that day.
  const day = new Date(Date.parse(at) - 1 + koreaMs).toISOString().slice(0, 10)
  return (
    <time dateTime={at} title={at} className="number">
      {day}
    </time>
  )
}
