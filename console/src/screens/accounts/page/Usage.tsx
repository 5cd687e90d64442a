/** Finished messages by day of acceptance: one bar per day, and a table for screen readers. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { Data } from '../../../api/call.ts'
import type { Problem } from '../../../api/problem.ts'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { Section } from '../../../components/Section.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount, formatShort } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { localDay, sumDays, toDays, countMessages, type UsageDay } from '../usage-days.ts'
import { accountTexts } from './texts.ts'

const height = 100
const kinds = ['delivered', 'others', 'failed'] as const

export function Usage({ usage }: { readonly usage: UseQueryResult<Data<'showUsage'>, Problem> }) {
  const t = useTexts(accountTexts)
  const { language } = usePreferences()
  const days = toDays(usage.data?.items ?? [], localDay(new Date()))
  const sums = sumDays(days)
  const top = Math.max(...days.map(countMessages))
  return (
    <Section
      title={t.usage}
      actions={
        <ul className="usage-legend">
          {kinds.map((kind) => (
            <li key={kind} className={kind}>
              {t[`usage-${kind}`]} <strong className="number">{formatCount(sums[kind], language)}</strong>
            </li>
          ))}
        </ul>
      }
    >
      {usage.error === null ? null : (
        <ProblemNotice problem={usage.error} onRetry={() => void usage.refetch()} />
      )}
      {top === 0 ? (
        <p className="empty">{t.noUsage}</p>
      ) : (
        <div className="usage">
          <span className="usage-top number" aria-hidden="true">
            {formatShort(top)}
          </span>
          <Bars days={days} top={top} />
          <div className="usage-days number" aria-hidden="true">
            <span>{days[0]!.day}</span>
            <span>{days.at(-1)!.day}</span>
          </div>
          {/* Hides the wrapper, because a table is never narrower than its text and would widen the page. */}
          <div className="hidden-visually">
            <DayTable days={days} />
          </div>
        </div>
      )}
    </Section>
  )
}

function Bars({ days, top }: { readonly days: readonly UsageDay[]; readonly top: number }) {
  const t = useTexts(accountTexts)
  const { language } = usePreferences()
  return (
    <svg viewBox={`0 0 ${days.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {days.map((day, index) => {
        let y = height
        const about = kinds.map((kind) => `${t[`usage-${kind}`]} ${formatCount(day[kind], language)}`)
        return (
          <g key={day.day}>
            <title>{`${day.day}: ${about.join(', ')}`}</title>
            <rect className="hover" x={index} y={0} width={1} height={height} />
            {kinds.map((kind) => {
              if (day[kind] === 0) return null
              // Keep a few failures among many messages visible.
              const tall = Math.max(1.5, (day[kind] / top) * height)
              y -= tall
              return <rect key={kind} className={kind} x={index + 0.12} y={y} width={0.76} height={tall} />
            })}
          </g>
        )
      })}
    </svg>
  )
}

function DayTable({ days }: { readonly days: readonly UsageDay[] }) {
  const t = useTexts(accountTexts)
  return (
    <table>
      <caption>{t.usage}</caption>
      <thead>
        <tr>
          <th scope="col">{t.day}</th>
          {kinds.map((kind) => (
            <th key={kind} scope="col">
              {t[`usage-${kind}`]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days
          .filter((day) => countMessages(day) > 0)
          .map((day) => (
            <tr key={day.day}>
              <th scope="row">{day.day}</th>
              {kinds.map((kind) => (
                <td key={kind}>{day[kind]}</td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  )
}
