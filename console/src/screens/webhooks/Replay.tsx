/** Replays pushes since a time after showing how many. */
import { useState } from 'react'
import { useChange, useRead } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Field } from '../../components/Field.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { webhooksTexts } from './texts.ts'
import { useUpTo } from './up-to.ts'

const choices = ['failedSince', 'allSince'] as const
const hourMs = 3_600_000
const maxAgeMs = 72 * hourMs

interface Props {
  readonly id: string
  readonly name: string
  readonly onReplayed: (reports: number) => void
  readonly onClose: () => void
}

export function Replay({ id, name, onReplayed, onClose }: Props) {
  const t = useTexts(webhooksTexts)
  const { language } = usePreferences()
  const upTo = useUpTo()
  const replay = useChange('replayWebhook')
  const [choice, setChoice] = useState<(typeof choices)[number]>('failedSince')
  const [opened] = useState(() => Date.now())
  const [since, setSince] = useState(() => toLocal(opened - hourMs))
  const at = new Date(since)
  const isTime = !Number.isNaN(at.getTime())
  const chosen = { [choice]: isTime ? at.toISOString() : '' }
  const counted = useRead('countReplay', { params: { webhookId: id }, query: chosen }, { enabled: isTime })
  const reports = counted.data?.reports
  return (
    <Confirm
      title={t.replayTitle(name)}
      confirmLabel={t.replay}
      onClose={onClose}
      onConfirm={async (reason) => {
        const done = await replay.mutateAsync({ params: { webhookId: id }, body: { ...chosen, reason } })
        onReplayed(done.reports)
      }}
    >
      <div className="fields">
        <fieldset className="plain">
          <legend>{t.which}</legend>
          {choices.map((one) => (
            <label key={one} className="choice">
              <input type="radio" name="which" checked={choice === one} onChange={() => setChoice(one)} />
              {t[`which-${one}`]}
            </label>
          ))}
        </fieldset>
        <Field
          label={t.sinceTime}
          value={since}
          onValue={setSince}
          type="datetime-local"
          // The API refuses older times; one minute allows for clock differences.
          min={toLocal(opened - maxAgeMs + 60_000)}
          max={toLocal(opened)}
          required
          hint={t.sinceHint}
        />
        {counted.error === null ? (
          <p aria-live="polite">
            <strong className="number">
              {reports === undefined
                ? t.counting
                : reports === 0
                  ? t.wouldPushNone
                  : t.wouldPush(choice === 'failedSince' ? upTo(reports) : formatCount(reports, language))}
            </strong>{' '}
            {t.replayEffect}
          </p>
        ) : (
          <ProblemNotice problem={counted.error} />
        )}
      </div>
    </Confirm>
  )
}

/** Returns the value of a `datetime-local` input, to the minute. */
function toLocal(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * 60_000
  return new Date(at - offsetMs).toISOString().slice(0, 16)
}
