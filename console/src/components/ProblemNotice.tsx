import type { Problem } from '../api/problem.ts'
import { usePreferences } from '../preferences/preferences.ts'
import { formatDuration } from '../texts/format.ts'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'
import { problemAdvice } from './problem-advice.ts'

interface Props {
  readonly problem: Problem
  readonly onRetry?: (() => void) | undefined
}

export function ProblemNotice({ problem, onRetry }: Props) {
  const t = useTexts(shared)
  const byCode: Readonly<Record<string, string | undefined>> = useTexts(problemAdvice)
  const { language } = usePreferences()
  const advice =
    problem.code === 'too-many-requests' && problem.retryAfterSeconds !== null
      ? t.waitFirst(formatDuration(problem.retryAfterSeconds, language))
      : byCode[problem.code]
  return (
    <div className="notice" role="alert">
      <strong>{problem.message}</strong>
      {advice === undefined ? null : (
        <span>
          {t.whatToDo}: {advice}
        </span>
      )}
      <span className="small muted mono">
        {problem.code}
        {problem.requestId === null ? '' : ` · ${t.requestId} ${problem.requestId}`}
      </span>
      {onRetry === undefined ? null : (
        <button type="button" className="button" onClick={onRetry}>
          {t.retry}
        </button>
      )}
    </div>
  )
}
