/** Reveals the whole job. Requires a right and a reason, which the audit log records. */
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { useRight } from '../../../session/session.ts'
import { shared } from '../../../texts/shared.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { JobDetails } from './JobDecision.tsx'
import { jobTexts } from './texts.ts'

export function Content({ job: { id } }: { readonly job: JobDetails }) {
  const t = useTexts(jobTexts)
  const { hide } = useTexts(shared)
  const mayReveal = useRight('reveal')
  const [confirming, setConfirming] = useState(false)
  const [payload, setPayload] = useState<string | null>(null)
  return (
    <section className="card" aria-labelledby="content-title">
      <h2 id="content-title">{t.content}</h2>
      {payload !== null ? (
        <>
          <pre className="payload" tabIndex={0} aria-labelledby="content-title">
            {indent(payload)}
          </pre>
          <button type="button" className="button" onClick={() => setPayload(null)}>
            {hide}
          </button>
        </>
      ) : (
        <>
          <p className="muted">{mayReveal ? t.contentHint : t.mayNotReveal}</p>
          {mayReveal ? (
            <button type="button" className="button" onClick={() => setConfirming(true)}>
              {t.reveal}
            </button>
          ) : null}
        </>
      )}
      {confirming ? (
        <Confirm
          title={t.revealTitle(String(id))}
          confirmLabel={t.reveal}
          onConfirm={async (reason) => {
            // Not cached: personal data is kept only while it is shown.
            const revealed = await call('showParked', { params: { id }, query: { reveal: true, reason } })
            setPayload(revealed.payload ?? '')
          }}
          onClose={() => setConfirming(false)}
        >
          {t.revealEffect}
        </Confirm>
      ) : null}
    </section>
  )
}

/** Indents JSON; returns other text unchanged. */
function indent(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
