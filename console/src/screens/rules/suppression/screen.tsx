/** Recipients who want no advertisements: look one up, enter and remove numbers. Numbers are kept in the memory of this page alone. */
import { useId, useState } from 'react'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { MayNot, RulesPage } from '../RulesPage.tsx'
import { Ask, type Asked } from './Ask.tsx'
import type { Found } from './found.ts'
import { Known } from './Known.tsx'
import { suppressionTexts } from './texts.ts'

const maxNumbers = 1_000

export function SuppressionScreen() {
  const t = useTexts(suppressionTexts)
  const mayChange = useRight('suppression')
  return (
    <RulesPage>
      <section className="card suppression-form" aria-labelledby="suppression-title">
        <h2 id="suppression-title">{t.title}</h2>
        <p className="muted">{t.hint}</p>
        {mayChange ? <SuppressionForm /> : <MayNot who="support" />}
      </section>
    </RulesPage>
  )
}

function SuppressionForm() {
  const t = useTexts(suppressionTexts)
  const ids = { account: useId(), accountHint: useId(), numbers: useId(), numbersHint: useId() }
  const [account, setAccount] = useState('')
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<Asked | null>(null)
  const [found, setFound] = useState<Found | null>(null)
  const [done, setDone] = useState('')
  const numbers = text.split(/[\n,;]/).filter((line) => line.trim() !== '')
  const tooMany = numbers.length > maxNumbers
  const ask = (act: Asked['act']) => () => {
    setDone('')
    setAsked({ act, numbers, account: account.trim() === '' ? undefined : account.trim() })
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
          maxLength={maxNumbers * 41}
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
          onClick={ask('lookUp')}
        >
          {t.lookUp}
        </button>
        {(['add', 'remove'] as const).map((act) => (
          <button
            key={act}
            type="button"
            className="button"
            disabled={numbers.length === 0 || tooMany}
            onClick={ask(act)}
          >
            {t[act]}
          </button>
        ))}
        <span className="small muted" aria-live="polite">
          {tooMany ? t.tooMany : t.given(numbers.length)}
        </span>
      </div>
      <p role="status" className={done === '' ? 'hidden-visually' : undefined}>
        {done}
      </p>
      {found === null ? null : <Known found={found} onForget={() => setFound(null)} />}
      {asked === null ? null : (
        <Ask
          asked={asked}
          onFound={setFound}
          onChanged={(words) => {
            setDone(words)
            // What was looked up before may not hold any longer.
            setFound(null)
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
