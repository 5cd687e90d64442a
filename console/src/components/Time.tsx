/** A time with its zone; UTC, as in logs, is shown when pointed at. */
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
