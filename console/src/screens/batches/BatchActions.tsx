/** Pauses, resumes and cancels a batch after describing the effect. */
import { useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { useRight } from '../../session/session.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import type { BatchDetails } from './progress.ts'
import type { BatchState } from './route.ts'
import { batchesTexts } from './texts.ts'

const verbs = ['pause', 'resume', 'cancel'] as const
type Verb = (typeof verbs)[number]

const allowedIn: Readonly<Record<Verb, readonly BatchState[]>> = {
  pause: ['running'],
  resume: ['paused'],
  cancel: ['open', 'checking', 'ready', 'running', 'paused'],
}

export function BatchActions({ batch }: { readonly batch: BatchDetails }) {
  const t = useTexts(batchesTexts)
  const { language } = usePreferences()
  const mayChange = useRight('messages')
  const changes = {
    pause: useChange('pauseBatch'),
    resume: useChange('resumeBatch'),
    cancel: useChange('cancelBatch'),
  }
  const [chosen, setChosen] = useState<Verb | null>(null)
  if (!mayChange) return null
  const { batchId, ref, state, waiting, open } = batch
  const count = (value: number): string => formatCount(value, language)
  const effects: Readonly<Record<Verb, string>> = {
    pause: t.pauseEffect(count(waiting)),
    resume: t.resumeEffect(count(waiting)),
    cancel: [
      t.cancelLines(count(waiting)),
      ...(open > 0 ? [t.cancelOpen(count(open))] : []),
      t.cancelFinal,
    ].join(' '),
  }
  return (
    <>
      {verbs
        .filter((verb) => allowedIn[verb].includes(state))
        .map((verb) => (
          <button
            key={verb}
            type="button"
            className={verb === 'resume' ? 'button primary' : 'button'}
            onClick={() => setChosen(verb)}
          >
            {t[verb]}
          </button>
        ))}
      {chosen === null ? null : (
        <Confirm
          title={t[`${chosen}Title`](ref ?? batchId)}
          confirmLabel={t[chosen]}
          danger={chosen === 'cancel'}
          reason={chosen === 'resume' ? 'optional' : 'required'}
          onClose={() => setChosen(null)}
          onConfirm={(reason) =>
            changes[chosen].mutateAsync({
              params: { batchId },
              body: reason === '' ? {} : { reason },
            } as never)
          }
        >
          {effects[chosen]}
        </Confirm>
      )}
    </>
  )
}
