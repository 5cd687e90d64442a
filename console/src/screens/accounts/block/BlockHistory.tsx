/** Current and past blocks of an account with operator, reason and affected messages. */
import type { Data } from '../../../api/call.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Section } from '../../../components/Section.tsx'
import { Time } from '../../../components/Time.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { blockTexts } from './texts.ts'

type Stop = NonNullable<Data<'showAccount'>['stops']>[number]

export function BlockHistory({ stops }: { readonly stops: readonly Stop[] }) {
  const t = useTexts(blockTexts)
  if (stops.length === 0) return null
  return (
    <Section title={t.history}>
      <ol className="stops">
        {stops.map((stop) => (
          <StopRow key={stop.at} stop={stop} />
        ))}
      </ol>
    </Section>
  )
}

function StopRow({ stop }: { readonly stop: Stop }) {
  const t = useTexts(blockTexts)
  const { language } = usePreferences()
  const count = (value: number | null): string => (value === null ? '–' : formatCount(value, language))
  return (
    <li>
      <span className="inline">
        <strong>{stop.reason}</strong>
        {stop.endedAt === null ? <Badge tone="bad">{t.now}</Badge> : null}
      </span>
      <span>
        <Time at={stop.at} /> · {stop.by}
        {stop.endedAt === null ? null : (
          <>
            {' → '}
            <Time at={stop.endedAt} /> · {stop.endedBy} · {stop.endedReason}
          </>
        )}
      </span>
      <span className="small muted">
        {t.counts(count(stop.closed), count(stop.held), count(stop.submitted))}
        {stop.notice === null ? '' : ` · ${t.notified(stop.notice)}`}
      </span>
    </li>
  )
}
