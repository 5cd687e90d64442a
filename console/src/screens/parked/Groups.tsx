/** Shows parked jobs grouped by stage and reason, so that one decision covers a group. */
import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount, formatDuration } from '../../texts/format.ts'
import { shared } from '../../texts/shared.ts'
import { useTexts } from '../../texts/texts.ts'
import { findCause, stages, type ParkedStage } from './causes.ts'
import type { RetryRequest, Group } from './choice.ts'
import { causeTexts, parkedTexts } from './texts.ts'

interface Props {
  readonly groups: readonly Group[]
  readonly mayDecide: boolean
  readonly onRetry: (request: RetryRequest) => void
  readonly onDrop: (group: Group) => void
}

export function Groups({ groups, mayDecide, onRetry, onDrop }: Props) {
  const t = useTexts(parkedTexts)
  const present = stages.filter((stage) => groups.some((group) => group.stage === stage))
  return (
    <section className="parked-groups" aria-label={t.groups}>
      {present.map((stage) => (
        <StageCard
          key={stage}
          stage={stage}
          groups={groups.filter((group) => group.stage === stage)}
          mayDecide={mayDecide}
          onRetry={onRetry}
          onDrop={onDrop}
        />
      ))}
    </section>
  )
}

function StageCard({ stage, groups, mayDecide, onRetry, onDrop }: Props & { readonly stage: ParkedStage }) {
  const t = useTexts(parkedTexts)
  const mayRetry = mayDecide && stage !== 'unreadable'
  const { language } = usePreferences()
  const jobs = groups.reduce((sum, group) => sum + group.jobs, 0)
  return (
    <section className="card stage-card" aria-labelledby={`stage-${stage}`}>
      <div className="stage-head">
        <h2 id={`stage-${stage}`}>{t[`stage-${stage}`]}</h2>
        <Badge tone="warn">{formatCount(jobs, language)}</Badge>
        <span className="small muted">{t[`stage-hint-${stage}`]}</span>
        {mayRetry && groups.length > 1 ? (
          <button type="button" className="button" onClick={() => onRetry({ kind: 'stage', stage, groups })}>
            {t.retryStage(t[`stage-${stage}`], formatCount(jobs, language))}
          </button>
        ) : null}
      </div>
      <ul className="reasons">
        {groups.map((group) => (
          <ReasonRow
            key={group.reason}
            group={group}
            mayDecide={mayDecide}
            mayRetry={mayRetry}
            onRetry={onRetry}
            onDrop={onDrop}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly group: Group
  readonly mayDecide: boolean
  readonly mayRetry: boolean
  readonly onRetry: (request: RetryRequest) => void
  readonly onDrop: (group: Group) => void
}

function ReasonRow({ group, mayDecide, mayRetry, onRetry, onDrop }: RowProps) {
  const t = useTexts(parkedTexts)
  const causes = useTexts(causeTexts)
  const { whatToDo } = useTexts(shared)
  const { language } = usePreferences()
  const { stage, reason, jobs, times, oldestAt } = group
  const cause = findCause(stage, reason)
  const count = formatCount(jobs, language)
  const age = formatDuration((Date.now() - Date.parse(oldestAt)) / 1_000, language)
  return (
    <li className="reason">
      <div>
        <p>
          <strong className="number">{count}</strong> <span className="mono">{reason ?? t.noReason}</span>{' '}
          <span className="small muted number">
            {t.oldest} {t.ago(age)} · {t.times} {t.timesOf(String(times))}
          </span>
        </p>
        <p className="small">{causes[`meaning-${cause}`]}</p>
        <p className="small">
          <strong>{whatToDo}:</strong> {causes[`action-${cause}`]}
        </p>
      </div>
      <div className="inline">
        <Link to="/parked" search={{ stage, reason }} className="button">
          {t.show}
          <span className="hidden-visually"> {reason}</span>
        </Link>
        {mayRetry ? (
          <button type="button" className="button" onClick={() => onRetry({ kind: 'reason', group })}>
            {t.retry}
            <span className="hidden-visually"> {reason}</span>
          </button>
        ) : null}
        {mayDecide ? (
          <button type="button" className="button" onClick={() => onDrop(group)}>
            {t.drop}
            <span className="hidden-visually"> {reason}</span>
          </button>
        ) : null}
      </div>
    </li>
  )
}
