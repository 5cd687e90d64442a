/**
 * Timeline of one message: a lane for each step of its flow, and stops for its events. `EventList` below it shows the same, also
 * on narrow screens and to screen readers.
 */
import './timeline.css'
import { useRef } from 'react'
import { useWidth } from '../../../../components/use-width.ts'
import {
  placeTimeline,
  timelineSize,
  type Leg,
  type PlacedLane,
  type PlacedStop,
} from '../timeline-layout.ts'
import type { Message } from '../stops.ts'
import { formatGap, stopLabel, nameChannel, stopNote, type Words } from './event-words.ts'

const minWidth = 620

export function TimelineMap({ message, words }: { readonly message: Message; readonly words: Words }) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  return (
    <div ref={frame} className="timeline-frame">
      {width >= minWidth ? <Drawing message={message} words={words} availableWidth={width} /> : null}
    </div>
  )
}

interface DrawingProps {
  readonly message: Message
  readonly words: Words
  readonly availableWidth: number
}

function Drawing({ message, words, availableWidth }: DrawingProps) {
  const { width, height, left, lanes, stops, legs } = placeTimeline(message, availableWidth)
  const drawing = (
    <svg
      className="timeline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      {lanes.map((lane) => (
        <LaneRow key={lane.step} lane={lane} left={left} width={width} words={words} />
      ))}
      {legs.map((leg) => (
        <LegLine key={leg.id} leg={leg} words={words} />
      ))}
      {stops.map((stop) => (
        <StopMark key={stop.id} stop={stop} words={words} />
      ))}
    </svg>
  )
  return (
    <>
      {width <= availableWidth ? (
        drawing
      ) : (
        <div className="timeline-scroll" role="region" aria-label={words.m.drawing} tabIndex={0}>
          {drawing}
        </div>
      )}
      <p className="small muted">{words.m.legend}</p>
    </>
  )
}

interface LaneProps {
  readonly lane: PlacedLane
  readonly left: number
  readonly width: number
  readonly words: Words
}

function LaneRow({ lane: { step, channel, state, code, y }, left, width, words }: LaneProps) {
  const { m } = words
  const status = code ?? (state === 'not used' ? m.notUsed : m.underWay)
  return (
    <g className={`lane ${state.replace(' ', '-')}`}>
      <rect
        className="band"
        x="0"
        y={y - timelineSize.laneHeight / 2 + 4}
        width={width}
        height={timelineSize.laneHeight - 8}
        rx="8"
      />
      <text className="name" x="14" y={y - 5}>
        {channel === '' ? m.parked : nameChannel(words, channel)}
      </text>
      <text className="status" x="14" y={y + 13}>
        {m.lane(step)} · {status}
      </text>
      <line className="rail" x1={left} x2={width - 14} y1={y} y2={y} />
    </g>
  )
}

function LegLine({ leg, words }: { readonly leg: Leg; readonly words: Words }) {
  const { path, gapMs, folded, aside, x, y, changesLane } = leg
  const label = formatGap(gapMs, words.language)
  return (
    <g className={aside ? 'leg aside' : 'leg'}>
      <path d={path} />
      {folded ? (
        <g className="fold" transform={`translate(${x} ${y})`}>
          <rect x="-7" y="-7" width="14" height="14" />
          <path d="M-5 7 L-1 -7 M1 7 L5 -7" />
        </g>
      ) : null}
      <text
        className={changesLane ? 'beside' : undefined}
        x={changesLane ? x + 14 : x}
        y={changesLane ? y + 4 : y - 9}
      >
        {label}
      </text>
    </g>
  )
}

/** A shape for each tone, because colour alone is not accessible. */
const shapes: Readonly<Record<PlacedStop['tone'], string>> = {
  calm: 'M0 -8a8 8 0 1 0 .01 0Z',
  ok: 'M0 -10a10 10 0 1 0 .01 0Z',
  waits: 'M0 -9a9 9 0 1 0 .01 0Z',
  warn: 'M0 -10 L10 8 H-10Z',
  bad: 'M-4.5 -10h9l5.5 5.5v9l-5.5 5.5h-9l-5.5 -5.5v-9Z',
}

function StopMark({ stop, words }: { readonly stop: PlacedStop; readonly words: Words }) {
  const { x, y, tone, atMs } = stop
  return (
    <g className={`stop ${tone}`} transform={`translate(${x} ${y})`}>
      <path className="mark" d={shapes[tone]} />
      {tone === 'ok' ? <path className="tick" d="M-4.5 0.5 L-1.2 3.8 L4.5 -3.2" /> : null}
      <text className="label" y="-20">
        {stopLabel(stop, words)}
      </text>
      <text className="note" y="28">
        {shorten(stopNote(stop, words))}
      </text>
      <text className="clock" y="44">
        {clock(atMs)}
      </text>
    </g>
  )
}

const maxNote = 18

function shorten(text: string): string {
  return text.length > maxNote ? `${text.slice(0, maxNote - 1)}…` : text
}

/** Formats a time with milliseconds in the time zone of the browser. */
function clock(atMs: number): string {
  const at = new Date(atMs)
  const two = (value: number): string => String(value).padStart(2, '0')
  const ms = String(at.getMilliseconds()).padStart(3, '0')
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`
}
