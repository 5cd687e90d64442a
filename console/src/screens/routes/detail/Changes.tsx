/** Lists changes by operators. The numbers refer to the marks in the chart. */
import { Badge } from '../../../components/Badge.tsx'
import { Time } from '../../../components/Time.tsx'
import { shared } from '../../../texts/shared.ts'
import { useTexts } from '../../../texts/texts.ts'
import { readDetails, showValue } from '../../audit/entry/differences.ts'
import { routeTexts } from './texts.ts'
import type { RouteChanges } from './use-changes.ts'

export function Changes({ changes }: { readonly changes: RouteChanges }) {
  const t = useTexts(routeTexts)
  const { loading } = useTexts(shared)
  const { mayRead, rows, inLastHour } = changes
  const findNumber = (seq: number): number | undefined =>
    inLastHour.find(({ change }) => change.seq === seq)?.nth
  return (
    <section className="card" aria-labelledby="changes-title">
      <h2 id="changes-title">{t.changes}</h2>
      {!mayRead ? (
        <p className="muted">{t.noAuditRight}</p>
      ) : changes.loading ? (
        <p className="muted">{loading}</p>
      ) : rows.length === 0 ? (
        <p className="muted">{t.noChanges}</p>
      ) : (
        <ol className="changes">
          {rows.map(({ seq, at, actor, action, result, reason, details }) => (
            <li key={seq}>
              <span className="nth" aria-hidden="true">
                {findNumber(seq) ?? '·'}
              </span>
              <div>
                <strong className="mono">{action.replace(/^route /, '')}</strong> <Detail details={details} />{' '}
                {result === 'done' ? null : <Badge tone="warn">{t[`result-${result}`]}</Badge>}
                <div className="small muted">
                  <Time at={at} /> · {t.by(actor)}
                </div>
                {reason === action ? null : <div className="small">{reason}</div>}
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const maxChanges = 3

/** Shows some changed values; the audit log has all of them. */
function Detail({ details }: { readonly details: unknown }) {
  const { changes } = readDetails(details)
  if (changes.length === 0) return null
  const texts = changes
    .slice(0, maxChanges)
    .map(({ field, before, after }) => `${field}: ${shorten(before)} → ${shorten(after)}`)
  return (
    <span className="small number">
      {texts.join(' · ')}
      {changes.length > maxChanges ? ' …' : ''}
    </span>
  )
}

const maxLength = 40

function shorten(value: unknown): string {
  const text = value === undefined ? '–' : Array.isArray(value) ? value.join(', ') || '–' : showValue(value)
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}
