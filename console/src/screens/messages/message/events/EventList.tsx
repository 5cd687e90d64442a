/** Lists the events of a message with the time since the previous one. */
import { Badge } from '../../../../components/Badge.tsx'
import { Time } from '../../../../components/Time.tsx'
import { isFailedCode, isRepeated, type Message, type TimelineEvent } from '../stops.ts'
import { describeEvent, formatGap, nameChannel, eventRemark, type Words } from './event-words.ts'

export function EventList({ message, words }: { readonly message: Message; readonly words: Words }) {
  const { events } = message
  return (
    <ol className="event-list">
      {events.map((event, index) => (
        <EventRow
          key={`${event.kind}-${index}`}
          event={event}
          before={events[index - 1]}
          channels={message.channels}
          words={words}
        />
      ))}
    </ol>
  )
}

interface RowProps {
  readonly event: TimelineEvent
  readonly before: TimelineEvent | undefined
  readonly channels: readonly string[]
  readonly words: Words
}

function EventRow({ event, before, channels, words }: RowProps) {
  const { m, language } = words
  const gapMs = before === undefined ? 0 : Date.parse(event.at) - Date.parse(before.at)
  const channel = event.step === null ? undefined : channels[event.step - 1]
  const remark = eventRemark(event)
  return (
    <li className={needsAttention(event) ? 'wrong' : undefined}>
      <div className="event-time small">
        <Time at={event.at} short />
        {gapMs > 0 ? <span className="muted number">{m.sinceBefore(formatGap(gapMs, language))}</span> : null}
      </div>
      <div className="event-text">
        <span>{describeEvent(event, words)}</span>{' '}
        {remark === null ? null : (
          <span className="muted" lang="en">
            ({remark})
          </span>
        )}
        <Marks event={event} words={words} />
        {channel === undefined || channels.length < 2 || event.step === null ? null : (
          <span className="small muted event-step">{m.step(event.step, nameChannel(words, channel))}</span>
        )}
      </div>
    </li>
  )
}

function needsAttention({ kind, details }: TimelineEvent): boolean {
  return (
    kind === 'parked' ||
    kind === 'deadline' ||
    ((kind === 'ended' || kind === 'closed') && isFailedCode(details.code)) ||
    (kind === 'submitted' && details.outcome !== 'accepted') ||
    (kind === 'receipt' && (details.result === 'failed' || details.late === true))
  )
}

function Marks({
  event: { kind, details },
  words: { m },
}: {
  readonly event: TimelineEvent
  readonly words: Words
}) {
  if (kind !== 'receipt') return null
  return (
    <>
      {details.late === true ? <Badge tone="warn">{m.late}</Badge> : null}
      {isRepeated(details) ? <Badge tone="warn">{m.repeated(Number(details.receipts))}</Badge> : null}
      {details.deliveredTwice === true ? <Badge tone="warn">{m.deliveredTwice}</Badge> : null}
    </>
  )
}
