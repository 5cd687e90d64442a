/** Audit log filters, stored in the address. */
import { useNavigate } from '@tanstack/react-router'
import { useId, useState, type HTMLInputTypeAttribute } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { auditResults, type AuditSearch } from './route.ts'
import { auditTexts } from './texts.ts'

export function AuditFilters({ search }: { readonly search: AuditSearch }) {
  const t = useTexts(auditTexts)
  const id = useId()
  const navigate = useNavigate({ from: '/audit' })
  const [fields, setFields] = useState(search)
  const set = (field: keyof AuditSearch) => (value: string) =>
    setFields({ ...fields, [field]: value === '' ? undefined : value })
  const withResult = (value: string): AuditSearch => ({
    ...fields,
    result: auditResults.find((one) => one === value),
  })
  const filtered = Object.values(search).some((value) => value !== undefined)
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        void navigate({ search: fields })
      }}
    >
      <Field label={t.who} value={fields.actor} onChange={set('actor')} />
      <Field label={t.act} value={fields.action} onChange={set('action')} hint={t.actHint} />
      <Field label={t.object} value={fields.target} onChange={set('target')} />
      <Field label={t.account} value={fields.account} onChange={set('account')} />
      <div className="field">
        <label htmlFor={id}>{t.result}</label>
        <select
          id={id}
          className="select"
          value={fields.result ?? ''}
          onChange={({ target: { value } }) => setFields(withResult(value))}
        >
          <option value="">{t.anyResult}</option>
          {auditResults.map((one) => (
            <option key={one} value={one}>
              {t[`result-${one}`]}
            </option>
          ))}
        </select>
      </div>
      <Field
        label={t.from}
        type="datetime-local"
        value={toLocal(fields.since)}
        onChange={(value) => set('since')(fromLocal(value))}
      />
      <Field
        label={t.until}
        type="datetime-local"
        value={toLocal(fields.until)}
        onChange={(value) => set('until')(fromLocal(value))}
      />
      <button type="submit" className="button">
        {t.apply}
      </button>
      {filtered ? (
        <button type="button" className="button link" onClick={() => void navigate({ search: {} })}>
          {t.clear}
        </button>
      ) : null}
      {search.requestId === undefined ? null : <p className="muted">{t.ofRequest(search.requestId)}</p>}
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
  readonly type?: HTMLInputTypeAttribute
  readonly hint?: string
}

function Field({ label, value = '', onChange, type = 'text', hint }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        type={type}
        value={value}
        maxLength={200}
        autoComplete="off"
        title={hint}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

/** Converts a UTC time to the value of a `datetime-local` input in the time zone of the browser. */
function toLocal(at: string | undefined): string {
  if (at === undefined) return ''
  const time = new Date(at)
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** Converts the value of a `datetime-local` input to UTC; returns an empty string for an invalid time. */
function fromLocal(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
