/** Search by recipient: number and account, then the reason, which is recorded. */
import { useState, type SyntheticEvent } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { shared } from '../../texts/shared.ts'
import { useTexts } from '../../texts/texts.ts'
import { Field } from './Field.tsx'
import { maskNumber } from './mask.ts'
import { searchTexts } from './texts.ts'
import type { RecipientQuestion } from './use-search.ts'

interface Props {
  readonly number: string
  readonly account: string
  /** False: the account is given. */
  readonly hasAccounts: boolean
  readonly onAsk: (question: RecipientQuestion) => Promise<void>
  readonly onClose: () => void
}

export function RecipientForm(props: Props) {
  const t = useTexts(searchTexts)
  const { cancel } = useTexts(shared)
  const [number, setNumber] = useState(props.number)
  const [account, setAccount] = useState(props.account)
  const [asking, setAsking] = useState(false)
  const recipient = number.replaceAll(/[\s().-]/g, '')
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    setAsking(true)
  }
  return (
    <>
      <form className="card recipient-form" onSubmit={submit} aria-label={t.byRecipient}>
        <Field label={t.recipient} hint={t.recipientHint}>
          {(field) => (
            <input
              {...field}
              className="input mono"
              type="tel"
              required
              autoFocus
              autoComplete="off"
              pattern="\+?[0-9 .\(\)\-]{3,30}"
              maxLength={30}
              value={number}
              onChange={(event) => setNumber(event.target.value)}
            />
          )}
        </Field>
        {props.hasAccounts ? (
          <Field label={t.account}>
            {(field) => (
              <input
                {...field}
                className="input"
                required
                pattern=".*\S.*"
                maxLength={200}
                placeholder={t.accountHint}
                autoComplete="off"
                value={account}
                onChange={(event) => setAccount(event.target.value)}
              />
            )}
          </Field>
        ) : null}
        <div className="inline">
          <button type="submit" className="button primary">
            {t.search}
          </button>
          <button type="button" className="button" onClick={props.onClose}>
            {cancel}
          </button>
        </div>
      </form>
      {asking ? (
        <Confirm
          title={t.recipientTitle(account.trim(), maskNumber(recipient))}
          confirmLabel={t.search}
          onConfirm={(reason) => props.onAsk({ account: account.trim(), recipient, reason })}
          onClose={() => setAsking(false)}
        >
          {t.recipientEffect}
        </Confirm>
      ) : null}
    </>
  )
}
