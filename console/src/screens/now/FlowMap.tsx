/**
 * Live drawing of the message flow: line thickness shows the rate, tank level the backlog. `FlowList` shows the same on narrow
 * screens and to screen readers.
 */
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Now } from '../../api/now-feed.ts'
import { useWidth } from '../../components/use-width.ts'
import { formatRate, formatShort } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import {
  laneWidth,
  maxLanes,
  placeFlow,
  flowSize,
  type Pipe,
  type PlacedRoute,
  type PlacedStage,
} from './flow-layout.ts'
import { FlowList } from './FlowList.tsx'
import { nowTexts } from './texts.ts'

const minWidth = 860

export function FlowMap({ now }: { readonly now: Now }) {
  const t = useTexts(nowTexts)
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const more = now.links.routes - Math.min(maxLanes, now.lanes.length)
  return (
    <section className="card" aria-labelledby="flow-title">
      <h2 id="flow-title">{t.flow}</h2>
      <div ref={frame}>
        {width >= minWidth ? <Drawing now={now} width={width} /> : null}
        <FlowList now={now} hidden={width >= minWidth} />
      </div>
      <p className="small muted flow-legend">
        {width >= minWidth ? `${t.legend} ` : ''}
        {more > 0 ? t.moreRoutes(more) : ''}
      </p>
    </section>
  )
}

function Drawing({ now, width }: { readonly now: Now; readonly width: number }) {
  const { height, stages, lanes, pipes } = placeFlow(now, width)
  return (
    <svg className="flow" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {pipes.map((pipe) => (
        <PipeLine key={pipe.id} pipe={pipe} />
      ))}
      {stages
        .filter(({ id }) => id !== 'carriers')
        .map((stage) => (
          <StageNode key={stage.id} stage={stage} />
        ))}
      {lanes.map((lane) => (
        <LaneNode key={lane.lane.route} placed={lane} width={laneWidth(width)} />
      ))}
    </svg>
  )
}

function PipeLine({ pipe: { path, width, dry, tone } }: { readonly pipe: Pipe }) {
  return (
    <g className={`pipe ${tone}`}>
      <path className={dry ? 'wall dry' : 'wall'} d={path} strokeWidth={dry ? 1.5 : width} />
      {dry ? null : <path className="drops" d={path} strokeWidth={Math.max(2, width * 0.3)} />}
    </g>
  )
}

function StageNode({ stage }: { readonly stage: PlacedStage }) {
  const t = useTexts(nowTexts)
  const { id, rate, backlog, tone, x, y, level } = stage
  const [left, top] = [x - flowSize.nodeWidth / 2, y - flowSize.nodeHeight / 2]
  return (
    <g className={`stage ${tone}`}>
      {level === null ? null : (
        <Tank x={x} y={top + flowSize.nodeHeight - 6} level={level} count={backlog ?? null} tone={tone} />
      )}
      <rect
        className="box"
        x={left}
        y={top}
        width={flowSize.nodeWidth}
        height={flowSize.nodeHeight}
        rx="10"
      />
      <text className="name" x={x} y={y - 4}>
        {t[`stage-${id}`]}
      </text>
      <text className="rate" x={x} y={y + 15}>
        {rate === null ? '–' : `${formatRate(rate)} /s`}
      </text>
    </g>
  )
}

interface TankProps {
  readonly x: number
  readonly y: number
  readonly level: number
  readonly count: number | null
  readonly tone: string
}

function Tank({ x, y, level, count, tone }: TankProps) {
  const left = x - flowSize.tankWidth / 2
  const filled = level * (flowSize.tankHeight - 6)
  return (
    <g className={`tank ${tone}`}>
      <rect className="glass" x={left} y={y} width={flowSize.tankWidth} height={flowSize.tankHeight} rx="8" />
      <rect
        className="water"
        x={left + 3}
        y={y + flowSize.tankHeight - 3 - filled}
        width={flowSize.tankWidth - 6}
        height={filled}
        rx={Math.min(5, filled / 2)}
      />
      <text className="count" x={x} y={y + flowSize.tankHeight + 16}>
        {count === null ? '?' : formatShort(count)}
      </text>
    </g>
  )
}

/** The same shapes as in `Badge`. */
const laneShapes = {
  calm: 'M5 0a5 5 0 1 0 .01 0Z',
  warn: 'M5 0.5 10 9.5H0Z',
  bad: 'M3 0h4l3 3v4l-3 3H3L0 7V3Z',
} as const

function LaneNode({
  placed: { lane, x, y, level },
  width,
}: {
  readonly placed: PlacedRoute
  readonly width: number
}) {
  const t = useTexts(nowTexts)
  const { route, usable, slow, waiting, delivered, failed } = lane
  const [left, top] = [x - width / 2, y - flowSize.laneHeight / 2]
  const tone = usable ? (slow === null ? 'calm' : 'warn') : 'bad'
  const waits = `${slow === null ? '' : `${t.slow} · `}${t.waits(formatShort(waiting))}`
  return (
    // `FlowList` has the same link for keyboard and screen reader users.
    <Link to="/routes/$id" params={{ id: route }} tabIndex={-1} className={`lane ${tone}`}>
      <rect className="box" x={left} y={top} width={width} height={flowSize.laneHeight} rx="8" />
      <rect
        className="water"
        x={left}
        y={top}
        width={Math.max(0, width * level)}
        height={flowSize.laneHeight}
        rx="8"
      />
      <path className="shape" transform={`translate(${left + 11} ${y - 5})`} d={laneShapes[tone]} />
      {/* HTML, because SVG text has no ellipsis. */}
      <foreignObject x={left} y={top} width={width} height={flowSize.laneHeight}>
        <div className="lane-label">
          <div className="name" title={route}>
            {route}
          </div>
          <div className="figures">
            <span className="rate">{formatRate(delivered + failed)} /s</span>
            {waiting > 0 ? <span title={waits}>{waits}</span> : null}
          </div>
        </div>
      </foreignObject>
    </Link>
  )
}
