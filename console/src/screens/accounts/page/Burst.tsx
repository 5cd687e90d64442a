/** Explains the backlog of an account that sends a burst, and whether other accounts are delayed. */
import { useNow } from '../../../api/now-feed.ts'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount, formatDuration } from '../../../texts/format.ts'
import { shared } from '../../../texts/shared.ts'
import { useTexts } from '../../../texts/texts.ts'
import { accountTexts } from './texts.ts'

/** The same threshold as the alarm of the API. */
const minWaiting = 200
/** Accounts take turns of about one second. */
const maxOthersSeconds = 1

export function Burst({ id }: { readonly id: string }) {
  const t = useTexts(accountTexts)
  const { whatToDo } = useTexts(shared)
  const { language } = usePreferences()
  const { now } = useNow()
  const busy = now?.backlog.accounts.find(({ account }) => account === id)
  if (now === null || busy === undefined || busy.waiting < minWaiting) return null
  const { due, more, accounts, othersSeconds } = now.backlog
  const count = (value: number): string => formatCount(value, language)
  const age = formatDuration(busy.oldestSeconds, language)
  const isFirst = accounts[0] === busy
  return (
    <section className="card advice" aria-label={t.burst}>
      <p>
        <strong>{t.burst}</strong>{' '}
        {more
          ? t.burstWaitsMore(count(busy.waiting), age)
          : t.burstWaits(count(busy.waiting), count(due), age)}{' '}
        {busy.accepted < busy.waiting ? null : t.burstSent(count(busy.accepted))}
      </p>
      {isFirst && othersSeconds !== null ? (
        <p>
          {othersSeconds <= maxOthersSeconds
            ? t.othersFast
            : t.othersWait(formatDuration(othersSeconds, language))}
        </p>
      ) : null}
      <p>
        <strong>{whatToDo}:</strong> {t.burstAdvice}
      </p>
    </section>
  )
}
