/** Lists alarms, most severe first, each with advice and a link. */
import type { Now } from '../../api/now-feed.ts'
import { Badge } from '../../components/Badge.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
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
          // Several routes can have the same alarm.
          <AlarmRow key={`${alarm.id} ${alarm.path}`} alarm={alarm} />
        ))}
      </ul>
    </section>
  )
}

function AlarmRow({ alarm }: { readonly alarm: Alarm }) {
  const t = useTexts(nowTexts)
  const { language } = usePreferences()
  const { id, severity, text, action, path } = alarm
  // API texts are English; known alarms are translated here.
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
      {path === null ? null : (
        <ScreenLink path={path} className="button" otherwise={null}>
          {t.open}
          <span className="hidden-visually">: {capital(text)}</span>
        </ScreenLink>
      )}
    </li>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
