/** Shows a time and its distance from now, by the clock of the browser. */
import { usePreferences } from '../preferences/preferences.ts'
import { formatDuration } from '../texts/format.ts'
import { Badge, type Tone } from './Badge.tsx'
import { Time } from './Time.tsx'

interface Props {
  readonly at: string
  /** Wraps the duration: `3 h ago`, `in 2 min`. */
  readonly words: (duration: string) => string
  readonly tone?: Tone | undefined
}

export function Age({ at, words, tone }: Props) {
  const { language } = usePreferences()
  const seconds = Math.abs(Date.now() - Date.parse(at)) / 1_000
  const text = words(formatDuration(seconds, language))
  return (
    <>
      <div className="number">{tone === undefined ? text : <Badge tone={tone}>{text}</Badge>}</div>
      <div className="small muted">
        <Time at={at} />
      </div>
    </>
  )
}
