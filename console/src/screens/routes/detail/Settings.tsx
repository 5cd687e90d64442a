/** Settings of a route and options of its connector. The API masks secrets. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../../components/Badge.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatDuration } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { channelNames, formatPercent, type RouteDetails } from '../figures.ts'
import { mask } from '../../../components/schema-form/schema.ts'
import { readSearchChoice } from '../../../components/search-text.ts'
import { routeTexts } from './texts.ts'

export function Settings({ route }: { readonly route: RouteDetails }) {
  const t = useTexts(routeTexts)
  const { language } = usePreferences()
  const { unknownPolicy } = route
  return (
    <section className="card" aria-labelledby="settings-title">
      <h2 id="settings-title">{t.settings}</h2>
      <dl className="facts">
        <Fact name={t.channels}>{route.channels.join(', ')}</Fact>
        <Fact name={t.priority}>{t.lowerFirst(String(route.priority))}</Fact>
        <Fact name={t.weight}>{route.weight}</Fact>
        <Fact name={t.protocol}>{route.protocol}</Fact>
        <Fact name={t.rate}>
          {route.partsPerSecond === 0 ? t.unlimited : `${route.partsPerSecond} ${t.partsPerSecond}`}
        </Fact>
        <Fact name={t.owners}>{route.owners}</Fact>
        <Fact name={t.accounts}>{route.accounts.length === 0 ? t.all : route.accounts.join(', ')}</Fact>
        <Fact name={t.prefixes}>{route.prefixes.length === 0 ? t.all : route.prefixes.join(', ')}</Fact>
        <Fact name={t.carriers}>{route.carriers.length === 0 ? t.all : route.carriers.join(', ')}</Fact>
        <Fact name={t.failover}>{formatDuration(route.failoverAfterSeconds, language)}</Fact>
        <Fact name={t.minDelivery}>
          {route.minDeliveryRate === null ? t.none : formatPercent(route.minDeliveryRate)}
        </Fact>
        <Fact name={t.unknownPolicy}>
          {unknownPolicy === 'fail' || unknownPolicy === 'resend'
            ? t[`policy-${unknownPolicy}`]
            : unknownPolicy}
        </Fact>
      </dl>
      <p className="small">
        <Link to="/explain" search={{ channel: readSearchChoice(route.channels[0], channelNames) }}>
          {t.explain}
        </Link>
      </p>
    </section>
  )
}

function Fact({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

export function Options({ options }: { readonly options: RouteDetails['options'] }) {
  const t = useTexts(routeTexts)
  const rows = leaves(options, '')
  return (
    <section className="card" aria-labelledby="options-title">
      <h2 id="options-title">{t.options}</h2>
      {rows.length === 0 ? (
        <p className="muted">{t.noOptions}</p>
      ) : (
        <dl className="facts">
          {rows.map(([path, value]) => (
            <Fact key={path} name={<span className="mono">{path}</span>}>
              {value === mask ? <Badge tone="idle">{t.secret}</Badge> : <span className="mono">{value}</span>}
            </Fact>
          ))}
        </dl>
      )}
    </section>
  )
}

/** Returns values by path, such as `tls.verify`; an array is one value. */
function leaves(value: Readonly<Record<string, unknown>>, at: string): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
      return leaves(inner as Readonly<Record<string, unknown>>, `${at}${name}.`)
    return [[`${at}${name}`, typeof inner === 'string' ? inner : JSON.stringify(inner)]]
  })
}
