/** Hours and minutes, with UTC as the tooltip. */
import { usePreferences } from '../../preferences/preferences.ts'

const locales = { en: 'en-GB', ko: 'ko-KR' } as const

export function Clock({ at }: { readonly at: string }) {
  const { language } = usePreferences()
  const format = new Intl.DateTimeFormat(locales[language], {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (
    <time dateTime={at} title={at} className="number">
      {format.format(new Date(at))}
    </time>
  )
}
