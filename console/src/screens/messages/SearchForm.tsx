/**
 * Search filters. The first field accepts a msgKey, which opens the message, or a ref. If it looks like a phone number, the form
 * asks whether to search by recipient or by ref.
 */
import { useId, useState, type SyntheticEvent } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { FormField } from './FormField.tsx'
import {
  maskNumber,
  fromLocalInput,
  readMessageSearch,
  readTyped,
  toLocalInput,
  type MessageSearch,
} from './search-filter.ts'
import { searchTexts } from './texts.ts'
import { useCodes } from './use-codes.ts'

interface Props {
  readonly filter: MessageSearch
  /** False for client users, who see only their own account. */
  readonly hasAccounts: boolean
  readonly onSearch: (filter: MessageSearch) => void
  readonly onOpen: (msgKey: string) => void
  /** `null` if the operator cannot search by recipient. */
  readonly onRecipient: ((number: string) => void) | null
}

export function SearchForm({ filter, hasAccounts, onSearch, onOpen, onRecipient }: Props) {
  const t = useTexts(searchTexts)
  const codes = useCodes()
  const codeList = useId()
  const [typed, setTyped] = useState(filter.ref ?? '')
  const [fields, setFields] = useState(toFields(filter))
  const [number, setNumber] = useState<string | null>(null)
  const filterKey = JSON.stringify(filter)
  const [shownKey, setShownKey] = useState(filterKey)
  // The filter changed by navigation: update the fields without moving the focus.
  if (filterKey !== shownKey) {
    setShownKey(filterKey)
    setTyped(filter.ref ?? '')
    setFields(toFields(filter))
    setNumber(null)
  }
  const change = (changed: Partial<typeof fields>): void => setFields({ ...fields, ...changed })

  const search = (ref: string): void => {
    const { account, code, state } = fields
    const from = fromLocalInput(fields.from)
    const until = fromLocalInput(fields.until)
    onSearch(readMessageSearch({ account, ref, code, state, from, until }))
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    const found = readTyped(typed)
    setNumber(null)
    if (found.kind === 'msgKey') onOpen(found.msgKey)
    // A number that was already searched as a ref is searched as a ref again.
    else if (found.kind === 'number' && typed !== filter.ref) setNumber(found.number)
    else search(typed)
  }
  return (
    <form className="card search-form" role="search" onSubmit={submit}>
      <div className="search-first">
        <FormField label={t.find} hint={t.findHint}>
          {(props) => (
            <input
              {...props}
              className="input mono"
              type="search"
              value={typed}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </FormField>
        <button type="submit" className="button primary">
          {t.search}
        </button>
        {onRecipient === null ? null : (
          <button type="button" className="button" onClick={() => onRecipient('')}>
            {t.byRecipient}
          </button>
        )}
        {Object.keys(filter).length === 0 ? null : (
          <button type="button" className="button" onClick={() => onSearch({})}>
            {t.clear}
          </button>
        )}
      </div>
      {number === null ? null : (
        <div className="looks-like" role="status">
          <span>{t.looksLikeNumber(maskNumber(number))}</span>
          {onRecipient === null ? (
            <span className="muted">{t.recipientRight}</span>
          ) : (
            <button
              type="button"
              className="button primary"
              onClick={() => {
                onRecipient(number)
                setNumber(null)
                setTyped('')
              }}
            >
              {t.asRecipient}
            </button>
          )}
          <button type="button" className="button" onClick={() => search(typed)}>
            {t.asRef}
          </button>
        </div>
      )}
      <div className="search-fields">
        {hasAccounts ? (
          <FormField label={t.account}>
            {(props) => (
              <input
                {...props}
                className="input"
                value={fields.account}
                maxLength={200}
                placeholder={t.accountHint}
                autoComplete="off"
                onChange={(event) => change({ account: event.target.value })}
              />
            )}
          </FormField>
        ) : null}
        <FormField label={t.state}>
          {(props) => (
            <select
              {...props}
              className="select"
              value={fields.state}
              onChange={(event) => change({ state: event.target.value as typeof fields.state })}
            >
              <option value="">{t.anyState}</option>
              <option value="open">{t.open}</option>
              <option value="closed">{t.closed}</option>
            </select>
          )}
        </FormField>
        <FormField label={t.code}>
          {(props) => (
            <>
              <input
                {...props}
                className="input"
                value={fields.code}
                maxLength={20}
                placeholder={t.anyCode}
                inputMode="numeric"
                list={codeList}
                autoComplete="off"
                onChange={(event) => change({ code: event.target.value })}
              />
              <datalist id={codeList}>
                {[...codes.values()].map(({ code, text }) => (
                  <option key={code} value={code}>
                    {text}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </FormField>
        <TimeField label={t.from} value={fields.from} onChange={(from) => change({ from })} />
        <TimeField label={t.until} value={fields.until} onChange={(until) => change({ until })} />
      </div>
    </form>
  )
}

function toFields({ account, code, state, from, until }: MessageSearch) {
  return {
    account: account ?? '',
    code: code ?? '',
    state: state ?? ('' as const),
    from: toLocalInput(from),
    until: toLocalInput(until),
  }
}

interface TimeProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function TimeField({ label, value, onChange }: TimeProps) {
  return (
    <FormField label={label}>
      {(props) => (
        <input
          {...props}
          className="input"
          type="datetime-local"
          step="1"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FormField>
  )
}
