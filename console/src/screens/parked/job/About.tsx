/** Metadata of a parked job without its content. */
import { ObjectLink } from '../../../components/ObjectLink.tsx'
import { Time } from '../../../components/Time.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { parkedTexts } from '../texts.ts'
import type { JobDetails } from './JobDecision.tsx'
import { jobTexts } from './texts.ts'

export function About({ job }: { readonly job: JobDetails }) {
  const t = useTexts(jobTexts)
  const listTexts = useTexts(parkedTexts)
  const { language } = usePreferences()
  const { stage, times, parkedAt, msgKey, bytes } = job
  // Shown above as the message.
  const keys = Object.entries(job.keys).filter(([name]) => name !== 'msgKey')
  return (
    <section className="card" aria-labelledby="about-title">
      <h2 id="about-title">{t.about}</h2>
      <dl className="job-facts">
        <dt>{t.message}</dt>
        <dd className="mono">
          {msgKey === null ? t.noMessage : <ObjectLink screen="messages" id={msgKey} />}
        </dd>
        <dt>{t.stage}</dt>
        <dd>
          {listTexts[`stage-${stage}`]} <span className="muted">· {listTexts[`stage-hint-${stage}`]}</span>
        </dd>
        <dt>{t.parkedAt}</dt>
        <dd>
          <Time at={parkedAt} />
        </dd>
        <dt>{t.times}</dt>
        <dd>{listTexts.timesOf(formatCount(times, language))}</dd>
        <dt>{t.size}</dt>
        <dd>{t.bytes(formatCount(bytes, language))}</dd>
        {keys.map(([name, value]) => (
          <Key key={name} name={name} value={String(value)} />
        ))}
      </dl>
    </section>
  )
}

function Key({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt className="mono">{name}</dt>
      <dd className="mono">{name === 'routeId' ? <ObjectLink screen="routes" id={value} /> : value}</dd>
    </>
  )
}
