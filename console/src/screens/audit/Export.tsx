/** Writes the rows that match the filter to a CSV file. The API records it, and keeps spreadsheets from taking texts for formulas. */
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import type { AuditSearch } from './search.ts'
import { auditTexts } from './texts.ts'

const maxRows = 10_000

export function Export({ search }: { readonly search: AuditSearch }) {
  const t = useTexts(auditTexts)
  const { language } = usePreferences()
  const [asking, setAsking] = useState(false)
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
      <button type="button" className="button" onClick={() => setAsking(true)}>
        {t.export}
      </button>
      {asking ? (
        <Confirm
          title={t.exportTitle}
          confirmLabel={t.export}
          onConfirm={write}
          onClose={() => setAsking(false)}
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
  /** Whether more rows match. */
  readonly more: boolean
}

async function readAll(search: AuditSearch, reason: string): Promise<Exported> {
  const parts: string[] = []
  let rows = 0
  let cursor: string | null = null
  do {
    const body: AuditSearch & { reason: string; cursor?: string } = {
      ...{ ...search, reason },
      ...(cursor === null ? {} : { cursor }),
    }
    const part = await call('exportAudit', { body })
    // Every part begins with the names of the columns.
    parts.push(parts.length === 0 ? part.csv : part.csv.slice(part.csv.indexOf('\n') + 1))
    rows += part.rows
    cursor = part.next
  } while (cursor !== null && rows < maxRows)
  return { csv: parts.join(''), rows, more: cursor !== null }
}

/** The mark at the beginning lets spreadsheets read Korean. */
function save(file: string, csv: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = file
  link.click()
  URL.revokeObjectURL(address)
}
