/** What is known of the recipient that was looked up, and what was before. */
import type { ReactNode } from 'react'
import { Badge } from '../../../components/Badge.tsx'
import { Time } from '../../../components/Time.tsx'
import { useTexts } from '../../../texts/texts.ts'
import type { Found } from './found.ts'
import { suppressionTexts } from './texts.ts'

interface Props {
  readonly found: Found
  readonly onForget: () => void
}

export function Known({ found: { account, known }, onForget }: Props) {
  const t = useTexts(suppressionTexts)
  return (
    <section aria-labelledby="known-title" className="known">
      <h3 id="known-title">
        {t.result} <State {...known} />
      </h3>
      <p className="small muted">{t.resultFor(account ?? t.ofAll)}</p>
      <dl className="facts">
        <Fact label={t.since}>{known.since === null ? null : <Time at={known.since} />}</Fact>
        <Fact label={t.source}>{useSource(known.source)}</Fact>
        <Fact label={t.reason}>{known.reason}</Fact>
        <Fact label={t.index}>{known.index === null ? null : <code>{known.index}</code>}</Fact>
      </dl>
      <h3>{t.history}</h3>
      {known.history.length === 0 ? (
        <p className="muted">{t.noHistory}</p>
      ) : (
        <ul className="known-history">
          {known.history.map((former) => (
            <Former key={former.endedAt} former={former} />
          ))}
        </ul>
      )}
      <button type="button" className="button" onClick={onForget}>
        {t.forget}
      </button>
    </section>
  )
}

function Former({ former }: { readonly former: Found['known']['history'][number] }) {
  const source = useSource(former.source)
  return (
    <li>
      <State {...former} /> {former.since === null ? null : <Time at={former.since} />} –{' '}
      <Time at={former.endedAt} />
      <div className="small muted">
        {[source, former.reason].filter((text) => text !== null && text !== '').join(' · ')}
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
  const known = t[`source-${source}`]
  return typeof known === 'string' ? known : source
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
