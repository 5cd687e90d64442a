/** Verifies the hash chain: the newest rows when the screen opens, all rows on request. */
import { useState } from 'react'
import { useRead } from '../../api/queries.ts'
import { Badge } from '../../components/Badge.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount, formatDuration } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { auditTexts } from './texts.ts'

export function Chain() {
  const t = useTexts(auditTexts)
  const { language } = usePreferences()
  const [all, setAll] = useState(false)
  const { data, error, isFetching, isPlaceholderData, refetch } = useRead('verifyAudit', {
    query: all ? { all: true } : {},
  })
  const checking = data === undefined || isPlaceholderData || isFetching
  const verify = (): void => {
    if (data?.all === true || all) void refetch()
    else setAll(true)
  }
  return (
    <section className="card chain" aria-labelledby="chain-title">
      <h2 id="chain-title">{t.chain}</h2>
      {error === null ? null : <ProblemNotice problem={error} onRetry={() => void refetch()} />}
      <span role="status">
        {data === undefined ? (
          <Badge tone="idle">{t.checking}</Badge>
        ) : data.broken === null ? (
          <Badge tone="ok">{t.intact}</Badge>
        ) : (
          <Badge tone="bad">{t.broken}</Badge>
        )}
      </span>
      {data === undefined ? null : (
        <span className="number">
          {(data.all ? t.verifiedAll : t.verifiedNewest)(formatCount(data.rows, language))} ·{' '}
          {t.lastRow(formatCount(data.last.seq, language))} ·{' '}
          {t.verifiedAgo(formatDuration((Date.now() - Date.parse(data.verifiedAt)) / 1_000, language))}
        </span>
      )}
      <button type="button" className="button" disabled={checking} onClick={verify}>
        {checking ? t.checking : data.all ? t.verifyAgain : t.verifyAll}
      </button>
      {data === undefined || data.broken === null ? null : (
        <div className="notice" role="alert">
          <strong lang="en">{data.broken}</strong>
          <span>{t.brokenAction}</span>
        </div>
      )}
      {data === undefined ? null : (
        <p className="small muted chain-hint">
          {t.checkpointHint} <code>{data.last.hash.slice(0, 16)}…</code>{' '}
          <CopyButton text={JSON.stringify(data.last)} what={t.checkpoint} />
        </p>
      )}
    </section>
  )
}
