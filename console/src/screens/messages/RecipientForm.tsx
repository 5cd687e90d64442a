/** Searches by recipient and account. Requires a reason, which the audit log records. */
import { useState, type SyntheticEvent } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { shared } from '../../texts/shared.ts'
import { useTexts } from '../../texts/texts.ts'
import { FormField } from './FormField.tsx'
import { maskNumber } from './search-filter.ts'
import { searchTexts } from './texts.ts'
import type { RecipientQuery } from './use-search.ts'

interface Props {
  readonly number: string
  readonly account: string
  /** False for client users, whose account is fixed. */
  readonly hasAccounts: boolean
  readonly onSearch: (query: RecipientQuery) => Promise<void>
  readonly onClose: () => void
}

export function RecipientForm(props: Props) {
  const t = useTexts(searchTexts)
  const { cancel } = useTexts(shared)
  const [number, setNumber] = useState(props.number)
  const [account, setAccount] = useState(props.account)
  const [confirming, setConfirming] = useState(false)
  const recipient = number.replaceAll(/[\s().-]/g, '')
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    setConfirming(true)
  }
  return (
    <>
      <form className="card recipient-form" onSubmit={submit} aria-label={t.byRecipient}>
        <FormField label={t.recipient} hint={t.recipientHint}>
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
        </FormField>
        {props.hasAccounts ? (
          <FormField label={t.account}>
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
          </FormField>
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
      {confirming ? (
        <Confirm
          title={t.recipientTitle(account.trim(), maskNumber(recipient))}
          confirmLabel={t.search}
          onConfirm={(reason) => props.onSearch({ account: account.trim(), recipient, reason })}
          onClose={() => setConfirming(false)}
        >
          {t.recipientEffect}
        </Confirm>
      ) : null}
    </>
  )
}
