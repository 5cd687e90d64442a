/** Pace, expected end, hours and failure rate of a batch. */
import { Stat } from '../../components/Stat.tsx'
import { Time } from '../../components/Time.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount, formatDuration, formatRate } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { isWithin, minutesInZone, readHours, type BatchDetails, type Hours } from './progress.ts'
import { batchesTexts } from './texts.ts'

/** A higher failure rate is shown as bad, if at least `minClosed` messages are reported. */
const maxFailureRate = 0.2
const minClosed = 20

export function Pace({ batch }: { readonly batch: BatchDetails }) {
  const t = useTexts(batchesTexts)
  const { language } = usePreferences()
  const { state, speed, perSecond, delivered, failed } = batch
  const closed = delivered + failed
  const failureRate = closed === 0 ? null : failed / closed
  const limit = speed === null ? t.noLimit : t.limit(formatCount(speed, language))
  const isRunning = state === 'running'
  return (
    <dl className="stats">
      <Stat
        label={t.pace}
        value={isRunning ? formatRate(perSecond ?? 0) : '–'}
        {...(isRunning ? { unit: t.perSecond } : {})}
        hint={isRunning ? t.lastMinute(limit) : limit}
      />
      <ExpectedEnd batch={batch} />
      <Stat
        label={t.hours}
        value={batch.hours === null ? t.always : `${batch.hours.from}–${batch.hours.to}`}
        hint={
          batch.hours === null ? t.alwaysHint : <HoursHint batch={batch} hours={readHours(batch.hours)} />
        }
      >
        {batch.hours === null ? undefined : (
          <Day hours={readHours(batch.hours)} now={minutesInZone(new Date(), batch.timeZone)} />
        )}
      </Stat>
      <Stat
        label={t.failedShare}
        value={failureRate === null ? '–' : `${Math.round(failureRate * 1_000) / 10} %`}
        tone={failureRate !== null && closed >= minClosed && failureRate > maxFailureRate ? 'bad' : undefined}
        hint={
          closed === 0
            ? t.noReports
            : t.ofReported(formatCount(failed, language), formatCount(closed, language))
        }
      />
    </dl>
  )
}

function ExpectedEnd({ batch }: { readonly batch: BatchDetails }) {
  const t = useTexts(batchesTexts)
  const { language } = usePreferences()
  const { state, waiting, open, endBy, endedAt, expectedEndAt } = batch
  if (endedAt !== null)
    return (
      <Stat
        label={t.endedAt}
        value={<ShortTime at={endedAt} />}
        hint={open > 0 ? t.reportsFollow : undefined}
      />
    )
  if (expectedEndAt === null) {
    const hint = state === 'running' && waiting === 0 ? t.onlyReports : t[`noEnd-${state}`]
    return <Stat label={t.expectedEnd} value="–" hint={hint} />
  }
  const seconds = (Date.parse(expectedEndAt) - Date.now()) / 1_000
  const isLate = endBy !== null && Date.parse(expectedEndAt) > Date.parse(endBy)
  return (
    <Stat
      label={t.expectedEnd}
      value={<ShortTime at={expectedEndAt} />}
      tone={isLate ? 'warn' : undefined}
      hint={
        isLate ? (
          <>
            {t.afterEnd} <Time at={endBy} />
          </>
        ) : (
          t[state === 'ready' ? 'ifStarted' : 'inTime'](formatDuration(seconds, language))
        )
      }
    />
  )
}

const locales = { en: 'en-GB', ko: 'ko-KR' } as const

/** Omits the day if it is today. */
function ShortTime({ at }: { readonly at: string }) {
  const { language } = usePreferences()
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  const text = new Intl.DateTimeFormat(locales[language], {
    ...(isToday ? {} : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(date)
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}

function HoursHint({ batch, hours }: { readonly batch: BatchDetails; readonly hours: Hours }) {
  const t = useTexts(batchesTexts)
  const isOpen = isWithin(hours, minutesInZone(new Date(), batch.timeZone))
  return <>{isOpen ? t.withinHours(batch.timeZone) : t.outsideHours(batch.hours!.from, batch.timeZone)}</>
}

const dayMinutes = 1_440

/** The hours on a scale of one day, with a mark at the current time. */
function Day({ hours: { from, to }, now }: { readonly hours: Hours; readonly now: number }) {
  return (
    <svg
      className="batch-day"
      viewBox={`0 0 ${dayMinutes} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect className="closed" x={0} y={35} width={dayMinutes} height={30} />
      <rect className="hours" x={from} y={20} width={Math.max(0, to - from)} height={60} />
      <rect className="now" x={now - 4} y={0} width={8} height={100} />
    </svg>
  )
}
