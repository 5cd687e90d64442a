/** Lists the problems of a route with advice: unavailable, slow, refusing numbers of a prefix, or failing. */
import type { ReactNode } from 'react'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount, formatDuration, formatRate } from '../../../texts/format.ts'
import { shared } from '../../../texts/shared.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useCodes } from '../../messages/use-codes.ts'
import { deliveredShare, isFailing, formatPercent, sumResults, type RouteDetails } from '../figures.ts'
import { useStateText } from '../states/states.ts'
import { routesTexts } from '../texts.ts'
import { routeTexts } from './texts.ts'
import { useRefusedNumbers, type RefusedNumbers } from './use-refused-numbers.ts'

export function RouteProblems({ route }: { readonly route: RouteDetails }) {
  const t = useTexts(routeTexts)
  const { failing } = useTexts(routesTexts)
  const { advice } = useStateText()(route.state)
  const results = sumResults(route.minutes)
  const refused = useRefusedNumbers(route.id)
  const linkReason =
    route.live.find(({ linked, linkReason: reason }) => !linked && reason !== null)?.linkReason ?? undefined
  // The other problems are shown only while the state itself needs no advice.
  const problems: readonly RouteProblem[] =
    advice !== null
      ? [{ description: linkReason === undefined ? null : <LinkReason reason={linkReason} />, advice }]
      : [
          ...(route.slow === null
            ? []
            : [{ description: <Slow route={route} />, advice: t[`advice-${route.slow}`] }]),
          ...(refused === undefined
            ? []
            : [{ description: <Refused {...refused} />, advice: t.refusesAdvice }]),
          ...(isFailing(results)
            ? [
                {
                  description: `${failing(formatPercent(1 - deliveredShare(results)!))}.`,
                  advice: t.failingAdvice,
                },
              ]
            : []),
        ]
  return (
    <div className="problems" aria-live="polite">
      {problems.map((problem) => (
        <Advice key={problem.advice} problem={problem} />
      ))}
    </div>
  )
}

interface RouteProblem {
  /** `null` if the badge next to the route name already states it. */
  readonly description: ReactNode
  readonly advice: string
}

function Advice({ problem: { description, advice } }: { readonly problem: RouteProblem }) {
  const t = useTexts(routeTexts)
  const { whatToDo } = useTexts(shared)
  return (
    <section className="card advice" aria-label={t.whatIsWrong}>
      {description === null ? null : <p>{description}</p>}
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
  const shownCodes = [code, carrierCode].filter((one) => one !== null).join(', ')
  return (
    <>
      <strong>{t.refuses(formatCount(failed, language), formatCount(sent, language), prefix)}</strong>{' '}
      <span lang={meaning === undefined ? 'en' : undefined}>{meaning ?? text}</span>
      {shownCodes === '' ? null : (
        <>
          {' '}
          (<span className="mono">{shownCodes}</span>)
        </>
      )}
    </>
  )
}

/** Shows the error of the carrier or the network. */
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
