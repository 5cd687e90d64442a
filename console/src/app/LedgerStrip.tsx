/** Shown to operators on every page: whether the ledger accounts for every accepted message, and what needs attention. */
import { Link } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { useNow, type NowState } from '../api/now-feed.ts'
import { Badge } from '../components/Badge.tsx'
import { usePreferences } from '../preferences/preferences.ts'
import { formatCount, formatDuration } from '../texts/format.ts'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'

type Tone = 'bad' | 'warn' | undefined

export function LedgerStrip() {
  const t = useTexts(shared)
  const { language } = usePreferences()
  const state = useNow()
  const { now } = state
  const count = (value: number | undefined): string =>
    value === undefined ? '–' : formatCount(value, language)
  const down = now === null ? undefined : now.links.shares - now.links.healthy
  return (
    <section className="strip" aria-label={t.ledger}>
      <dl>
        <Figure label={t.accepted}>{count(now?.ledger.accepted)}</Figure>
        <Figure label={t.final}>{count(now?.ledger.final)}</Figure>
        <Figure label={t.inFlight}>
          <Link to="/messages" search={{ state: 'open' }}>
            {count(now?.ledger.inFlight)}
          </Link>
        </Figure>
        <Gap state={state} />
        <Figure label={t.oldestOpen}>
          {now === null ? '–' : formatDuration(now.ages.openSeconds, language)}
        </Figure>
        <Figure label={t.parkedJobs} tone={(now?.parked ?? 0) > 0 ? 'warn' : undefined}>
          <Link to="/parked">{count(now?.parked)}</Link>
        </Figure>
        <Figure label={t.sharesDown} tone={(down ?? 0) > 0 ? 'warn' : undefined}>
          <Link to="/routes">{down === undefined ? '–' : t.of(count(down), count(now?.links.shares))}</Link>
        </Figure>
      </dl>
      <div className="strip-mode">
        <Mode state={state} />
      </div>
    </section>
  )
}

function Figure(props: { readonly label: string; readonly tone?: Tone; readonly children: ReactNode }) {
  const { label, tone, children } = props
  return (
    <div>
      <dt>{label}</dt>
      <dd className={tone === undefined ? 'number' : `number tone-${tone}`}>{children}</dd>
    </div>
  )
}

function Gap({ state: { now } }: { readonly state: NowState }) {
  const t = useTexts(shared)
  const { language } = usePreferences()
  if (now === null) return <Figure label={t.gap}>–</Figure>
  const { gap, unrecorded, checkedAt } = now.ledger
  if (gap === null || checkedAt === null) return <Figure label={t.gap}>{t.unchecked}</Figure>
  const missing = gap + (unrecorded ?? 0)
  const seconds = (Date.parse(now.at) - Date.parse(checkedAt)) / 1_000
  return (
    <Figure label={t.gap} tone={missing === 0 ? undefined : 'bad'}>
      {missing === 0 ? t.noGap : formatCount(missing, language)}{' '}
      <small>· {t.checkedAgo(formatDuration(seconds, language))}</small>
    </Figure>
  )
}

const staleMs = 6_000

/** Shows whether figures are live, polled or outdated. */
function Mode({ state: { now, receivedAt, mode, problem } }: { readonly state: NowState }) {
  const t = useTexts(shared)
  const { language } = usePreferences()
  const [at, setAt] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setAt(performance.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (now === null)
    return problem === null ? (
      <Badge tone="idle">{t.connecting}</Badge>
    ) : (
      <Badge tone="bad">{problem.message}</Badge>
    )
  const ageMs = Math.max(0, at - receivedAt)
  if (ageMs > staleMs) return <Badge tone="bad">{t.stale(formatDuration(ageMs / 1_000, language))}</Badge>
  return mode === 'live' ? <Badge tone="ok">{t.live}</Badge> : <Badge tone="info">{t.polling}</Badge>
}
