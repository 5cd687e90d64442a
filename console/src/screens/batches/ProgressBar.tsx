/** One bar of all lines of a batch, a segment per part. With batch details, failed messages have a segment per report code. */
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { parts, type Batch, type BatchDetails, type Part } from './progress.ts'
import { batchesTexts } from './texts.ts'

interface Segment {
  readonly id: string
  readonly part: Part
  readonly count: number
}

interface Props {
  readonly batch: Batch | BatchDetails
  readonly small?: boolean
}

export function ProgressBar({ batch, small = false }: Props) {
  const t = useTexts(batchesTexts)
  const { language } = usePreferences()
  const segments = parts.flatMap((part) => divide(batch, part)).filter(({ count }) => count > 0)
  const about = parts
    .filter((part) => batch[part] > 0)
    .map((part) => `${t[`part-${part}`]} ${formatCount(batch[part], language)}`)
  return (
    <div
      className={small ? 'batch-bar small' : 'batch-bar'}
      role="img"
      aria-label={about.length === 0 ? t.noLines : about.join(', ')}
    >
      {segments.map(({ id, part, count }) => (
        <span
          key={id}
          className={part}
          style={{ flexGrow: count }}
          title={`${id === part ? t[`part-${part}`] : id}: ${formatCount(count, language)}`}
        />
      ))}
    </div>
  )
}

function divide(batch: Batch | BatchDetails, part: Part): Segment[] {
  if (part !== 'failed' || !('outcomes' in batch)) return [{ id: part, part, count: batch[part] }]
  return batch.outcomes
    .filter(({ delivered }) => !delivered)
    .map(({ code, messages }) => ({ id: code, part, count: messages }))
}

/** Names the segments of the bar. Parts without lines are shown muted, not omitted: zero failures are also a result. */
export function Legend({ batch }: { readonly batch: Batch }) {
  const t = useTexts(batchesTexts)
  const { language } = usePreferences()
  return (
    <dl className="batch-legend">
      {parts.map((part) => (
        <div key={part} className={batch[part] === 0 ? 'none' : undefined}>
          <dt>
            <span className={`swatch ${part}`} aria-hidden="true" />
            {t[`part-${part}`]}
          </dt>
          <dd className="number">{formatCount(batch[part], language)}</dd>
        </div>
      ))}
    </dl>
  )
}
