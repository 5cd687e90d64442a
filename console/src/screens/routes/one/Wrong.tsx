/** What is wrong with a route, and what to do about it: it takes nothing, messages wait for it, or many of them fail. */
import type { ReactNode } from 'react'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount, formatDuration, formatRate } from '../../../texts/format.ts'
import { shared } from '../../../texts/shared.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useCodes } from '../../messages/use-codes.ts'
import { deliveredShare, isFailing, percent, sumOf, type RouteDetails } from '../figures.ts'
import { useStateText } from '../states/states.ts'
import { routesTexts } from '../texts.ts'
import { routeTexts } from './texts.ts'
import { useRefusedNumbers, type RefusedNumbers } from './use-refused-numbers.ts'

export function Wrong({ route }: { readonly route: RouteDetails }) {
  const t = useTexts(routeTexts)
  const { failing } = useTexts(routesTexts)
  const { advice } = useStateText()(route.state)
  const results = sumOf(route.minutes)
  const refused = useRefusedNumbers(route.id)
  const linkReason =
    route.live.find(({ linked, linkReason: reason }) => !linked && reason !== null)?.linkReason ?? undefined
  // The others are of a route that takes messages.
  const wrongs: readonly Trouble[] =
    advice !== null
      ? [{ what: linkReason === undefined ? null : <LinkReason reason={linkReason} />, advice }]
      : [
          ...(route.slow === null
            ? []
            : [{ what: <Slow route={route} />, advice: t[`advice-${route.slow}`] }]),
          ...(refused === undefined ? [] : [{ what: <Refused {...refused} />, advice: t.refusesAdvice }]),
          ...(isFailing(results)
            ? [{ what: `${failing(percent(1 - deliveredShare(results)!))}.`, advice: t.failingAdvice }]
            : []),
        ]
  return (
    <div className="wrongs" aria-live="polite">
      {wrongs.map((wrong) => (
        <Advice key={wrong.advice} wrong={wrong} />
      ))}
    </div>
  )
}

interface Trouble {
  /** Null: the badge beside the name of the route says it. */
  readonly what: ReactNode
  readonly advice: string
}

function Advice({ wrong: { what, advice } }: { readonly wrong: Trouble }) {
  const t = useTexts(routeTexts)
  const { whatToDo } = useTexts(shared)
  return (
    <section className="card advice" aria-label={t.whatIsWrong}>
      {what === null ? null : <p>{what}</p>}
      <p>
        <strong>{whatToDo}:</strong> {advice}
      </p>
    </section>
  )
}

function Refused({ failed, sent, prefix, code, text, carrierCode }: RefusedNumbers) {
  const t = useTexts(routeTexts)
  const { language } = usePreferences()
  const codes = useCodes()
  const meaning = codes.get(code ?? '')?.text
  const both = [code, carrierCode].filter((one) => one !== null).join(', ')
  return (
    <>
      <strong>{t.refuses(formatCount(failed, language), formatCount(sent, language), prefix)}</strong>{' '}
      <span lang={meaning === undefined ? 'en' : undefined}>{meaning ?? text}</span>
      {both === '' ? null : (
        <>
          {' '}
          (<span className="mono">{both}</span>)
        </>
      )}
    </>
  )
}

/** As the carrier or the network says it. */
function LinkReason({ reason }: { readonly reason: string }) {
  const t = useTexts(routeTexts)
  return (
    <>
      {t.linkReason} <strong lang="en">{reason}</strong>
    </>
  )
}

function Slow({
  route: { slow, waiting, waitingMore, waitingSeconds, live },
}: {
  readonly route: RouteDetails
}) {
  const t = useTexts(routeTexts)
  const { language } = usePreferences()
  const submitted = live.reduce((sum, share) => sum + share.submitted, 0)
  const queued = live.reduce((sum, share) => sum + share.queued, 0)
  return (
    <>
      <strong>{t[`slow-${slow!}`]}</strong>{' '}
      {t.waitsFor(
        `${formatCount(waiting + queued, language)}${waitingMore ? '+' : ''}`,
        waitingSeconds < 1 ? null : formatDuration(waitingSeconds, language),
        formatRate(submitted),
      )}
    </>
  )
}
