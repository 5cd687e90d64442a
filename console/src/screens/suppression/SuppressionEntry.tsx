/** Shows the current and earlier suppression entries of the recipient that was looked up. */
import type { ReactNode } from 'react'
import type { Data } from '../../api/call.ts'
import { Badge } from '../../components/Badge.tsx'
import { Time } from '../../components/Time.tsx'
import { useTexts } from '../../texts/texts.ts'
import { suppressionTexts } from './texts.ts'

export interface SuppressionLookup {
  readonly account: string | undefined
  readonly entry: Data<'showSuppression'>
}

interface Props {
  readonly lookup: SuppressionLookup
  readonly onClose: () => void
}

export function SuppressionEntry({ lookup: { account, entry }, onClose }: Props) {
  const t = useTexts(suppressionTexts)
  return (
    <section aria-labelledby="known-title" className="known">
      <h3 id="known-title">
        {t.result} <State {...entry} />
      </h3>
      <p className="small muted">{t.resultFor(account ?? t.allAccounts)}</p>
      <dl className="facts">
        <Fact label={t.since}>{entry.since === null ? null : <Time at={entry.since} />}</Fact>
        <Fact label={t.source}>{useSource(entry.source)}</Fact>
        <Fact label={t.reason}>{entry.reason}</Fact>
        <Fact label={t.index}>{entry.index === null ? null : <code>{entry.index}</code>}</Fact>
      </dl>
      <h3>{t.history}</h3>
      {entry.history.length === 0 ? (
        <p className="muted">{t.noHistory}</p>
      ) : (
        <ul className="known-history">
          {entry.history.map((past) => (
            <PastEntry key={past.endedAt} past={past} />
          ))}
        </ul>
      )}
      <button type="button" className="button" onClick={onClose}>
        {t.closeResult}
      </button>
    </section>
  )
}

function PastEntry({ past }: { readonly past: SuppressionLookup['entry']['history'][number] }) {
  const source = useSource(past.source)
  return (
    <li>
      <State {...past} /> {past.since === null ? null : <Time at={past.since} />} – <Time at={past.endedAt} />
      <div className="small muted">
        {[source, past.reason].filter((text) => text !== null && text !== '').join(' · ')}
      </div>
    </li>
  )
}

function State({ state, night }: { readonly state: string; readonly night: boolean }) {
  const t = useTexts(suppressionTexts)
  if (state === 'suppressed') return <Badge tone="warn">{t.suppressed}</Badge>
  if (state === 'agreed') return <Badge tone="ok">{night ? t.agreedNight : t.agreed}</Badge>
  return <Badge tone="idle">{t.none}</Badge>
}

function useSource(source: string | null): string | null {
  const t: Readonly<Record<string, unknown>> = useTexts(suppressionTexts)
  const text = t[`source-${source}`]
  return typeof text === 'string' ? text : source
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (children === null || children === '') return null
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}
