/** Health of route shares, workers, webhooks and the database. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Now } from '../../api/now-feed.ts'
import { Badge } from '../../components/Badge.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount, formatDuration } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { nowTexts } from './texts.ts'

const maxListed = 5

export function Parts({ now: { links, workers, webhooks, database } }: { readonly now: Now }) {
  const t = useTexts(nowTexts)
  const pushing = webhooks.enabled - webhooks.failing
  return (
    <section className="card" aria-labelledby="parts-title">
      <h2 id="parts-title">{t.parts}</h2>
      <dl className="pairs number">
        <dt>
          <Link to="/routes">{t.routes}</Link>
        </dt>
        <dd>
          <Ratio working={links.healthy} total={links.shares} />
          {links.unhealthy.slice(0, maxListed).map(({ route, share, state }) => (
            <Note key={share}>
              <Link to="/routes/$id" params={{ id: route }}>
                {share}
              </Link>
              : {state}
            </Note>
          ))}
          {links.disabled > 0 ? <Note>{t.disabledRoutes(links.disabled)}</Note> : null}
        </dd>
        <dt>{t.workers}</dt>
        <dd>
          <Ratio working={workers.running} total={workers.running + workers.silent} />
          {workers.silent > 0 ? <Note>{t.silentWorkers(workers.silent)}</Note> : null}
          {workers.partitionsWithoutOwner > 0 ? (
            <Note>{t.partitions(workers.partitionsWithoutOwner)}</Note>
          ) : null}
        </dd>
        <dt>{t.database}</dt>
        <dd>
          <DatabaseState database={database} />
        </dd>
        <dt>
          <Link to="/webhooks">{t.webhooks}</Link>
        </dt>
        <dd>
          <Ratio working={pushing} total={webhooks.enabled} />
          {webhooks.disabledByFailure > 0 ? (
            <Note>{t.disabledWebhooks(webhooks.disabledByFailure)}</Note>
          ) : null}
        </dd>
      </dl>
    </section>
  )
}

/** The same threshold as the alarm of the API. */
const maxReadMs = 1_000

function DatabaseState({ database: { readMs, lockWaits, lockWaitSeconds } }: Pick<Now, 'database'>) {
  const t = useTexts(nowTexts)
  const { language } = usePreferences()
  if (lockWaits > 0)
    return (
      <>
        <Badge tone="bad">{t.locked(formatCount(lockWaits, language))}</Badge>
        <Note>{t.lockedFor(formatDuration(lockWaitSeconds, language))}</Note>
      </>
    )
  return <Badge tone={readMs > maxReadMs ? 'warn' : 'ok'}>{t.readIn(formatCount(readMs, language))}</Badge>
}

function Note({ children }: { readonly children: ReactNode }) {
  return <div className="small muted">{children}</div>
}

function Ratio({ working, total }: { readonly working: number; readonly total: number }) {
  const t = useTexts(nowTexts)
  const { language } = usePreferences()
  const text = t.of(formatCount(working, language), formatCount(total, language))
  if (working < total) return <Badge tone={working === 0 ? 'bad' : 'warn'}>{text}</Badge>
  return total === 0 ? <Badge tone="idle">{t.none}</Badge> : <Badge tone="ok">{text}</Badge>
}
