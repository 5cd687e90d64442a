/** What needs a person, the worst first: what is wrong, what to do, and a link to where it is done. */
import { useRouter } from '@tanstack/react-router'
import type { Now } from '../../api/now-feed.ts'
import { Badge } from '../../components/Badge.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { useTexts } from '../../texts/texts.ts'
import { alarmTexts, nowTexts } from './texts.ts'

type Alarm = Now['alarms'][number]

export function Alarms({ alarms }: { readonly alarms: readonly Alarm[] }) {
  const t = useTexts(nowTexts)
  if (alarms.length === 0) return null
  return (
    <section aria-labelledby="alarms-title">
      <h2 id="alarms-title" className="hidden-visually">
        {t.alarmsTitle}
      </h2>
      <ul className="alarms" aria-live="polite">
        {alarms.map((alarm) => (
          <AlarmRow key={alarm.id} alarm={alarm} />
        ))}
      </ul>
    </section>
  )
}

function AlarmRow({ alarm }: { readonly alarm: Alarm }) {
  const t = useTexts(nowTexts)
  const { language } = usePreferences()
  const { history, routesByPath } = useRouter()
  const { id, severity, text, action, path } = alarm
  const place = path === null ? null : placeOf(path, Object.keys(routesByPath))
  // The API speaks English; the advice of known alarms is translated here.
  const translated = language === 'en' ? undefined : alarmTexts[id]
  return (
    <li className={`alarm ${severity}`}>
      <Badge tone={severity === 'critical' ? 'bad' : 'warn'}>{t[severity]}</Badge>
      <div>
        <strong lang={translated === undefined ? 'en' : undefined}>
          {translated?.title ?? capital(text)}
        </strong>
        {translated === undefined ? null : (
          <p className="small muted" lang="en">
            {text}
          </p>
        )}
        <p lang={translated === undefined ? 'en' : undefined}>{translated?.action ?? action}</p>
      </div>
      {place === null ? null : (
        <a
          className="button"
          href={place}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey) return
            event.preventDefault()
            history.push(place)
          }}
        >
          {t.open}
          <span className="hidden-visually">: {capital(text)}</span>
        </a>
      )}
    </li>
  )
}

/** The screen that shows what a path of the API does; the list, while a single object has no screen. Null without a screen. */
export function placeOf(path: string, known: readonly string[]): string | null {
  const [place, search] = path.replace(/^\/admin\/v1/, '').split('?', 2)
  const [screen, object] = place!.split('/').filter(Boolean)
  if (screen === undefined || !known.includes(`/${screen}`)) return null
  const single = object !== undefined && known.some((one) => one.startsWith(`/${screen}/$`))
  return `${single ? place! : `/${screen}`}${search === undefined ? '' : `?${search}`}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
