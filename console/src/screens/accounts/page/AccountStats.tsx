import type { Data } from '../../../api/call.ts'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { Stat } from '../../../components/Stat.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount, formatDuration } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { localDay, sumDays, toDays, countMessages } from '../usage-days.ts'
import { accountTexts } from './texts.ts'

type State = Data<'showAccountState'> | undefined

interface Props {
  readonly id: string
  readonly state: State
  readonly usage: Data<'showUsage'> | undefined
}

/** Minimum messages for a meaningful delivery rate. */
const minMessages = 50
const minDeliveryRate = 0.8
const maxReportAgeSeconds = 3_600
const maxWaitSeconds = 600

export function AccountStats({ id, state, usage }: Props) {
  const t = useTexts(accountTexts)
  const { language } = usePreferences()
  const count = (value: number): string => formatCount(value, language)
  const days = usage === undefined ? null : toDays(usage.items, localDay(new Date()))
  const sums = days === null ? null : sumDays(days)
  const total = sums === null ? 0 : sums.delivered + sums.failed + sums.others
  const deliveryRate = sums === null || total === 0 ? null : sums.delivered / total
  const isLow = deliveryRate !== null && total >= minMessages && deliveryRate < minDeliveryRate
  const messages = `/messages?account=${encodeURIComponent(id)}`
  return (
    <dl className="stats">
      <Stat
        label={<ScreenLink path={messages}>{t.endedToday}</ScreenLink>}
        value={days === null ? '–' : count(countMessages(days.at(-1)!))}
        hint={days === null ? t.lastDays : t.ofDays(count(total))}
      />
      <Stat
        label={t.delivered}
        value={deliveryRate === null ? '–' : (deliveryRate * 100).toFixed(1)}
        {...(deliveryRate === null ? {} : { unit: '%' })}
        tone={isLow ? 'warn' : undefined}
        hint={sums === null ? t.lastDays : t.notDelivered(count(sums.failed), count(sums.others))}
      />
      <Open path={`${messages}&state=open`} state={state} />
      <Unfetched state={state} />
    </dl>
  )
}

function Open({ path, state }: { readonly path: string; readonly state: State }) {
  const t = useTexts(accountTexts)
  const { language } = usePreferences()
  const waiting = state?.waiting ?? []
  // Scheduled and held messages are not late.
  const ages = waiting
    .filter(({ reason }) => reason !== 'scheduled' && reason !== 'rule')
    .map(({ oldestAt }) => secondsSince(oldestAt, state))
  const oldest = ages.length === 0 ? null : Math.max(...ages)
  const hints = [
    ...waiting.map(({ reason, count }) => `${t[`reason-${reason}`]} ${formatCount(count, language)}`),
    ...(oldest === null ? [] : [t.oldest(formatDuration(oldest, language))]),
  ]
  return (
    <Stat
      label={<ScreenLink path={path}>{t.open}</ScreenLink>}
      value={state === undefined ? '–' : formatCount(state.open, language)}
      tone={oldest !== null && oldest > maxWaitSeconds ? 'warn' : undefined}
      hint={state === undefined ? undefined : hints.length === 0 ? t.nothingWaits : hints.join(' · ')}
    />
  )
}

/** Shows unfetched reports of polling or of a stream consumer, whichever is further behind. */
function Unfetched({ state }: { readonly state: State }) {
  const t = useTexts(accountTexts)
  const { language } = usePreferences()
  const polling = state?.polling ?? null
  const lags = [...(polling === null ? [] : [{ ...polling, name: null }]), ...(state?.consumers ?? [])]
  const worst = lags.toSorted((left, right) => right.behind - left.behind)[0]
  if (worst === undefined) return <Stat label={t.unfetched} value="–" hint={t.neverPolled} />
  const age = worst.oldestAt === null ? null : secondsSince(worst.oldestAt, state)
  const hints = [
    age === null ? t.upToDate : t.oldest(formatDuration(age, language)),
    ...(worst.name === null ? [] : [t.consumer(worst.name)]),
    ...(polling === null || polling.batchAt === null ? [] : [t.unacknowledged]),
  ]
  return (
    <Stat
      label={t.unfetched}
      value={formatCount(worst.behind, language)}
      tone={age !== null && age > maxReportAgeSeconds ? 'warn' : undefined}
      hint={hints.join(' · ')}
    />
  )
}

/** Returns the seconds between a time and the state, by the clock of the server. */
function secondsSince(at: string, state: State): number {
  return state === undefined ? 0 : Math.max(0, (Date.parse(state.at) - Date.parse(at)) / 1_000)
}
