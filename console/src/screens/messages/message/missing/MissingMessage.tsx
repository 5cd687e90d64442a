/** Shown for an unknown msgKey: checks every place where the message can be. */
import { Link } from '@tanstack/react-router'
import { useNow } from '../../../../api/now-feed.ts'
import { useRead } from '../../../../api/queries.ts'
import { Badge, type Tone } from '../../../../components/Badge.tsx'
import { Loading } from '../../../../components/Loading.tsx'
import { PageHead } from '../../../../components/PageHead.tsx'
import { ProblemNotice } from '../../../../components/ProblemNotice.tsx'
import { usePreferences } from '../../../../preferences/preferences.ts'
import { formatCount } from '../../../../texts/format.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { checkMissing, type Check, type CheckState } from './checks.ts'
import { missingTexts } from './texts.ts'

interface Props {
  readonly msgKey: string
  readonly onRetry: () => void
}

const tones: Readonly<Record<CheckState, Tone>> = { ok: 'ok', check: 'warn', cause: 'bad', hint: 'info' }
const minuteMs = 60_000

export function MissingMessage({ msgKey, onRetry }: Props) {
  const t = useTexts(missingTexts)
  const facts = useRead('showKeyFacts', { params: { msgKey } })
  const { now } = useNow()
  const keyTime = facts.data?.keyTime ?? null
  const found =
    facts.data === undefined || now === null
      ? null
      : checkMissing(msgKey, facts.data, now, Date.parse(now.at))
  return (
    <>
      <PageHead title={t.title} hint={<span className="mono wrap">{msgKey}</span>} />
      {facts.error === null ? null : <ProblemNotice problem={facts.error} />}
      {found === null ? (
        facts.error === null ? (
          <Loading />
        ) : null
      ) : (
        <section className="card missing" aria-labelledby="missing-title">
          <h2 id="missing-title">{t[`verdict-${found.verdict}`]}</h2>
          <p className="muted">{t.intro}</p>
          <ul>
            {found.checks.map((check) => (
              <CheckRow key={check.id} check={check} />
            ))}
          </ul>
          <div className="inline">
            <button type="button" className="button primary" onClick={onRetry}>
              {t.retry}
            </button>
            {keyTime === null ? null : (
              <Link className="button" to="/messages" search={minuteAround(keyTime)}>
                {t.around}
              </Link>
            )}
            <Link className="button" to="/messages" search={{}}>
              {t.search}
            </Link>
          </div>
        </section>
      )}
    </>
  )
}

function CheckRow({ check: { id, state, text, values } }: { readonly check: Check }) {
  const t = useTexts(missingTexts)
  const { language } = usePreferences()
  const entry = (t as unknown as Readonly<Record<string, string | ((...values: unknown[]) => string)>>)[text]!
  const texts = values.map((value) => (typeof value === 'number' ? formatCount(value, language) : value))
  return (
    <li>
      <Badge tone={tones[state]}>{t[state]}</Badge>
      <div>
        <strong>{t[id]}</strong>
        <p>
          {typeof entry === 'string' ? entry : entry(...texts)}{' '}
          {id === 'parked' && state === 'check' ? <Link to="/parked">{t.openParked}</Link> : null}
        </p>
      </div>
    </li>
  )
}

function minuteAround(time: string): { readonly from: string; readonly until: string } {
  const from = Math.floor(Date.parse(time) / minuteMs) * minuteMs
  return { from: new Date(from).toISOString(), until: new Date(from + minuteMs).toISOString() }
}
