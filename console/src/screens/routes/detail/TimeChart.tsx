/** Results of the last hour on a time axis, with marks for changes by operators. Screen readers get a table of ten-minute sums. */
import { useRef } from 'react'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useWidth } from '../../../components/use-width.ts'
import { roundUp, sumResults, toBuckets, type Bucket, type RouteDetails } from '../figures.ts'
import { routeTexts } from './texts.ts'
import type { MarkedChange } from './use-changes.ts'

interface Props {
  readonly minutes: RouteDetails['minutes']
  readonly changes: readonly MarkedChange[]
}

const minuteMs = 60_000
const box = { top: 26, left: 46, right: 10, plot: 150, bottom: 24 } as const
const tickMinutes = 10

export function TimeChart({ minutes, changes }: Props) {
  const t = useTexts(routeTexts)
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const buckets = toBuckets(minutes, Date.now())
  return (
    <section className="card" aria-labelledby="results-title">
      <h2 id="results-title">{t.results}</h2>
      <p className="legend small">
        <span className="key good">{t.delivered}</span>
        <span className="key failed">{t.failed}</span>
        <span className="muted">{t.perMinute}</span>
      </p>
      <div ref={frame}>{width > 0 ? <Chart buckets={buckets} changes={changes} width={width} /> : null}</div>
      <p className="small muted">{t.resultsHint}</p>
      <div className="hidden-visually">
        <Table buckets={buckets} />
      </div>
    </section>
  )
}

interface ChartProps {
  readonly buckets: readonly Bucket[]
  readonly changes: readonly MarkedChange[]
  readonly width: number
}

function Chart({ buckets, changes, width }: ChartProps) {
  const { language } = usePreferences()
  const top = roundUp(Math.max(...buckets.map(({ delivered, failed }) => delivered + failed)))
  const first = buckets[0]!.at
  const step = (width - box.left - box.right) / buckets.length
  const foot = box.top + box.plot
  const toX = (at: number): number => box.left + ((at - first) / minuteMs) * step
  const toY = (count: number): number => foot - (count / top) * box.plot
  const ticks = buckets.filter(({ at }) => (at / minuteMs) % tickMinutes === 0)
  return (
    <svg className="time-chart" width={width} height={foot + box.bottom} aria-hidden="true">
      <defs>
        <pattern
          id="failed-hatch"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect className="hatch-ground" width="4" height="4" />
          <path className="hatch-line" d="M0 0V4" />
        </pattern>
      </defs>
      {[0, top / 2, top].map((count) => (
        <g key={count}>
          <path className="grid" d={`M${box.left} ${toY(count)}H${width - box.right}`} />
          <text className="axis end" x={box.left - 8} y={toY(count) + 4}>
            {formatCount(count, language)}
          </text>
        </g>
      ))}
      {ticks.map(({ at }) => (
        <g key={at}>
          <path className="grid" d={`M${toX(at)} ${foot}v5`} />
          <text className="axis middle" x={toX(at)} y={foot + 19}>
            {formatMinute(at)}
          </text>
        </g>
      ))}
      {buckets.map(({ at, delivered, failed }) => (
        <g key={at}>
          <rect
            className="good"
            x={toX(at) + 0.5}
            y={toY(delivered + failed)}
            width={Math.max(1, step - 1)}
            height={toY(failed) - toY(delivered + failed)}
          />
          <rect
            fill="url(#failed-hatch)"
            x={toX(at) + 0.5}
            y={toY(failed)}
            width={Math.max(1, step - 1)}
            height={foot - toY(failed)}
          />
        </g>
      ))}
      {changes.map(({ nth, at }) => (
        <g key={nth} className="mark">
          <path d={`M${toX(at)} ${box.top - 6}V${foot}`} />
          <circle cx={toX(at)} cy={box.top - 14} r="9" />
          <text x={toX(at)} y={box.top - 10}>
            {nth}
          </text>
        </g>
      ))}
    </svg>
  )
}

function Table({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const t = useTexts(routeTexts)
  const { language } = usePreferences()
  const rows = Array.from({ length: buckets.length / tickMinutes }, (_, index) =>
    buckets.slice(index * tickMinutes, (index + 1) * tickMinutes),
  )
  return (
    <table>
      <caption>{t.results}</caption>
      <thead>
        <tr>
          <th scope="col">{t.period}</th>
          <th scope="col">{t.delivered}</th>
          <th scope="col">{t.failed}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const { delivered, failed } = sumResults(row)
          return (
            <tr key={row[0]!.at}>
              <th scope="row">{formatMinute(row[0]!.at)}</th>
              <td>{formatCount(delivered, language)}</td>
              <td>{formatCount(failed, language)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Formats a time of day in the time zone of the browser: `14:05`. */
function formatMinute(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes()].map((value) => String(value).padStart(2, '0')).join(':')
}
