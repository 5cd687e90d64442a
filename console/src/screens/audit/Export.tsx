/** Exports matching rows as CSV. The API audits the export and escapes values that spreadsheets would run as formulas. */
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import type { AuditSearch } from './route.ts'
import { auditTexts } from './texts.ts'

const maxRows = 10_000

export function Export({ search }: { readonly search: AuditSearch }) {
  const t = useTexts(auditTexts)
  const { language } = usePreferences()
  const [confirming, setConfirming] = useState(false)
  const [done, setDone] = useState('')
  const write = async (reason: string): Promise<void> => {
    const { csv, rows, more } = await readAll(search, reason)
    const file = `audit-${new Date().toISOString().slice(0, 10)}.csv`
    save(file, csv)
    const words = t.exported(formatCount(rows, language), file)
    setDone(more ? `${words} ${t.exportedMore}` : words)
  }
  return (
    <>
      <span role="status" className="small">
        {done}
      </span>
      <button type="button" className="button" onClick={() => setConfirming(true)}>
        {t.export}
      </button>
      {confirming ? (
        <Confirm
          title={t.exportTitle}
          confirmLabel={t.export}
          onConfirm={write}
          onClose={() => setConfirming(false)}
        >
          <p>{t.exportEffect(formatCount(maxRows, language))}</p>
        </Confirm>
      ) : null}
    </>
  )
}

interface Exported {
  readonly csv: string
  readonly rows: number
  /** More rows match than were exported. */
  readonly more: boolean
}

async function readAll(search: AuditSearch, reason: string): Promise<Exported> {
  const parts: string[] = []
  let rows = 0
  let cursor: string | null = null
  do {
    const body: AuditSearch & { reason: string; cursor?: string } = {
      ...search,
      reason,
      ...(cursor === null ? {} : { cursor }),
    }
    const part = await call('exportAudit', { body })
    // Every part starts with a header row.
    parts.push(parts.length === 0 ? part.csv : part.csv.slice(part.csv.indexOf('\n') + 1))
    rows += part.rows
    cursor = part.next
  } while (cursor !== null && rows < maxRows)
  return { csv: parts.join(''), rows, more: cursor !== null }
}

/** The byte order mark makes spreadsheets read the file as UTF-8. */
function save(file: string, csv: string): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = file
  link.click()
  URL.revokeObjectURL(url)
}
