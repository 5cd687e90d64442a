/**
 * Draws the route choice: the message passes the routes by preference down to the chosen one. Runs of several routes that do not
 * serve it are collapsed, because an installation can have hundreds.
 */
import { Link } from '@tanstack/react-router'
import type { Data } from '../../../api/call.ts'
import { Badge, type Tone } from '../../../components/Badge.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useStateText } from '../states/states.ts'
import { translateReason, type Reason } from './reasons.ts'
import { explainTexts } from './texts.ts'

type Explained = Data<'explainRoute'>
type RouteDecision = Explained['routes'][number]

interface Props {
  readonly explained: Explained
  readonly account: string
  readonly channel: string
}

const tones: Readonly<Record<RouteDecision['decision'], Tone>> = {
  taken: 'ok',
  'passed over': 'warn',
  'no match': 'idle',
}
/** Maximum consecutive `unserved` routes shown open; a longer run is collapsed. */
const maxUnservedRun = 2
/**
 * Maximum consecutive `near` routes shown open. Larger, because they exist only if no route accepts the message, and a change of
 * one such route may let it serve the message.
 */
const maxNearRun = 10

export function RouteDecisions({ explained: { route, routes }, account, channel }: Props) {
  const t = useTexts(explainTexts)
  const takenAt = routes.findIndex(({ decision }) => decision === 'taken')
  const waits = routes[takenAt]?.reason.startsWith('waits: ') === true
  return (
    <section className="card" aria-label={t.picture}>
      <p className="verdict">
        {route === null ? (
          <>
            <Badge tone="bad">{t.none}</Badge> {t.noneAction}
          </>
        ) : (
          <Badge tone={waits ? 'warn' : 'ok'}>{waits ? t.wouldWait(route) : t.would(route)}</Badge>
        )}
      </p>
      <ol className="ladder">
        <li className="rung start">
          <Node kind="start" />
          <span className="mono">{t.message(channel, account)}</span>
        </li>
        {toRuns(routes, route === null).map((run) =>
          run.collapsed ? (
            <Collapsed key={run.rows[0]!.id} rows={run.rows} after={takenAt >= 0 && run.at > takenAt} />
          ) : (
            run.rows.map((row, index) => (
              <Rung key={row.id} row={row} after={takenAt >= 0 && run.at + index > takenAt} waits={waits} />
            ))
          ),
        )}
      </ol>
    </section>
  )
}

interface RungProps {
  readonly row: RouteDecision
  /** Below the chosen route. */
  readonly after: boolean
  readonly waits?: boolean
}

function Rung({ row, after, waits = false }: RungProps) {
  const t = useTexts(explainTexts)
  const { id, routeId, decision, priority, weight } = row
  const { text, lang } = useReason()(row.reason)
  const taken = decision === 'taken'
  return (
    <li className={`rung ${decision.replace(' ', '-')}${after ? ' after' : ''}`}>
      <Node kind={taken ? 'taken' : decision === 'no match' ? 'unserved' : 'passed'} />
      <div className="rung-card">
        <div className="rung-head">
          <Link to="/routes/$id" params={{ id: routeId }} className="route-name">
            {id}
          </Link>
          <span className="small muted">
            {t.priority(String(priority))} · {t.weight(String(weight))}
          </span>
          <Badge tone={taken && waits ? 'warn' : tones[decision]}>{t[decision]}</Badge>
        </div>
        <p className="small" lang={lang}>
          {text}
        </p>
      </div>
    </li>
  )
}

function Collapsed({ rows, after }: { readonly rows: readonly RouteDecision[]; readonly after: boolean }) {
  const t = useTexts(explainTexts)
  const { language } = usePreferences()
  return (
    <li className={`rung no-match${after ? ' after' : ''}`}>
      <Node kind="unserved" />
      <details>
        <summary className="small muted">{t.collapsed(formatCount(rows.length, language))}</summary>
        <ol className="ladder collapsed">
          {rows.map((row) => (
            <Rung key={row.id} row={row} after={after} />
          ))}
        </ol>
      </details>
    </li>
  )
}

const shapes = {
  start: <path d="M3 5h14v10H3zM3 5l7 6 7-6" />,
  taken: <path d="M5 10.5l3.5 3.5L15.5 7" />,
  passed: <path d="M10 3v3q5 4 0 8v3M7.5 14.5L10 17l2.5-2.5" />,
  unserved: <path d="M6 10h8" />,
} as const

function Node({ kind }: { readonly kind: keyof typeof shapes }) {
  return (
    <svg className={`node ${kind}`} viewBox="0 0 20 20" aria-hidden="true">
      {shapes[kind]}
    </svg>
  )
}

interface Run {
  readonly at: number
  readonly rows: RouteDecision[]
  readonly collapsed: boolean
}

type Kind = 'serves' | 'near' | 'unserved'

const maxShown: Readonly<Record<Kind, number>> = {
  serves: Infinity,
  near: maxNearRun,
  unserved: maxUnservedRun,
}

/** Groups consecutive routes of the same kind. `none` is true if no route accepts the message. */
function toRuns(routes: readonly RouteDecision[], none: boolean): Run[] {
  const classify = ({ decision, reason }: RouteDecision): Kind => {
    if (decision !== 'no match') return 'serves'
    // Any reason except the channel: disabled, draining, or not for this account, number or carrier. The pattern matches a
    // reason of `gateway/src/carriers/routes/explain.ts`.
    return none && !/^does not serve \S+, only /.test(reason) ? 'near' : 'unserved'
  }
  const runs: { at: number; kind: Kind; rows: RouteDecision[] }[] = []
  for (const [index, row] of routes.entries()) {
    const last = runs.at(-1)
    if (last?.kind === classify(row)) last.rows.push(row)
    else runs.push({ at: index, kind: classify(row), rows: [row] })
  }
  return runs.map(({ at, kind, rows }) => ({ at, rows, collapsed: rows.length > maxShown[kind] }))
}

function useReason(): (reason: string) => Reason {
  const { language } = usePreferences()
  const stateText = useStateText()
  return (reason) =>
    language === 'ko'
      ? translateReason(reason, (state) => stateText(state).text)
      : { text: reason.charAt(0).toUpperCase() + reason.slice(1), lang: undefined }
}
