/** Shows a time with its time zone, and UTC as the tooltip. */
import { usePreferences } from '../preferences/preferences.ts'
import { formatClock, formatTime } from '../texts/format.ts'

export function Time({ at, short = false }: { readonly at: string; readonly short?: boolean }) {
  const { language } = usePreferences()
  return (
    <time dateTime={at} title={at} className="number">
      {short ? formatClock(at, language) : formatTime(at, language)}
    </time>
  )
}
