/** Looks up, adds and removes suppressed recipients. Numbers are kept only in the memory of this page. */
import { useId, useState } from 'react'
import { useRight } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { PermissionNotice, RulesPage } from '../rules/page/RulesPage.tsx'
import { SuppressionDialog, type SuppressionRequest } from './SuppressionDialog.tsx'
import { SuppressionEntry, type SuppressionLookup } from './SuppressionEntry.tsx'
import { suppressionTexts } from './texts.ts'

const maxNumbers = 1_000
/** A number of 40 characters and its separator. */
const maxLineLength = 41

export function SuppressionScreen() {
  const t = useTexts(suppressionTexts)
  const mayChange = useRight('suppression')
  return (
    <RulesPage>
      <section className="card suppression-form" aria-labelledby="suppression-title">
        <h2 id="suppression-title">{t.title}</h2>
        <p className="muted">{t.hint}</p>
        {mayChange ? <SuppressionForm /> : <PermissionNotice who="support" />}
      </section>
    </RulesPage>
  )
}

function SuppressionForm() {
  const t = useTexts(suppressionTexts)
  const ids = { account: useId(), accountHint: useId(), numbers: useId(), numbersHint: useId() }
  const [account, setAccount] = useState('')
  const [text, setText] = useState('')
  const [request, setRequest] = useState<SuppressionRequest | null>(null)
  const [lookup, setLookup] = useState<SuppressionLookup | null>(null)
  const [done, setDone] = useState('')
  const numbers = text.split(/[\n,;]/).filter((line) => line.trim() !== '')
  const tooMany = numbers.length > maxNumbers
  const open = (action: SuppressionRequest['action']) => () => {
    setDone('')
    setRequest({ action, numbers, account: account.trim() === '' ? undefined : account.trim() })
  }
  return (
    <>
      <div className="field">
        <label htmlFor={ids.account}>{t.account}</label>
        <input
          id={ids.account}
          className="input"
          value={account}
          maxLength={200}
          autoComplete="off"
          aria-describedby={ids.accountHint}
          onChange={({ target }) => setAccount(target.value)}
        />
        <span id={ids.accountHint} className="small muted">
          {t.accountHint}
        </span>
      </div>
      <div className="field">
        <label htmlFor={ids.numbers}>{t.numbers}</label>
        <textarea
          id={ids.numbers}
          className="input mono"
          rows={4}
          value={text}
          maxLength={maxNumbers * maxLineLength}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={ids.numbersHint}
          onChange={({ target }) => setText(target.value)}
        />
        <span id={ids.numbersHint} className="small muted">
          {t.numbersHint}
        </span>
      </div>
      <div className="toolbar">
        <button
          type="button"
          className="button primary"
          disabled={numbers.length !== 1}
          onClick={open('lookUp')}
        >
          {t.lookUp}
        </button>
        {(['add', 'remove'] as const).map((action) => (
          <button
            key={action}
            type="button"
            className="button"
            disabled={numbers.length === 0 || tooMany}
            onClick={open(action)}
          >
            {t[action]}
          </button>
        ))}
        <span className="small muted" aria-live="polite">
          {tooMany ? t.tooMany : t.given(numbers.length)}
        </span>
      </div>
      <p role="status" className={done === '' ? 'hidden-visually' : undefined}>
        {done}
      </p>
      {lookup === null ? null : <SuppressionEntry lookup={lookup} onClose={() => setLookup(null)} />}
      {request === null ? null : (
        <SuppressionDialog
          request={request}
          onFound={setLookup}
          onChanged={(message) => {
            setDone(message)
            // The lookup result may be outdated now.
            setLookup(null)
          }}
          onClose={() => setRequest(null)}
        />
      )}
    </>
  )
}
