/** Message search. Filters are part of the address, except the recipient, which is personal data. */
import './messages.css'
import { useNavigate, useSearch as useAddress } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHead } from '../../components/PageHead.tsx'
import { Time } from '../../components/Time.tsx'
import { useClientAccount, useMay } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { ResultTable } from './ResultTable.tsx'
import { RecipientForm } from './RecipientForm.tsx'
import { maskNumber } from './search-filter.ts'
import { SearchForm } from './SearchForm.tsx'
import { searchTexts } from './texts.ts'
import { useRecipientSearch, useSearch } from './use-search.ts'

export function MessagesScreen() {
  const t = useTexts(searchTexts)
  const navigate = useNavigate()
  const filter = useAddress({ from: '/messages' })
  const mayReveal = useMay('reveal', 'searchRecipient')
  const ownAccount = useClientAccount()
  const search = useSearch(filter)
  const recipient = useRecipientSearch()
  const [typedNumber, setTypedNumber] = useState<string | null>(null)
  const { query } = recipient
  const pages = query === null ? search : recipient.pages
  const isFiltered = query !== null || Object.keys(filter).length > 0
  return (
    <>
      <PageHead
        title={t.title}
        hint={t.hint}
        actions={
          <>
            {pages.readAt === 0 ? null : (
              <span className="small muted read-at">
                {t.readAt} <Time at={new Date(pages.readAt).toISOString()} short />
              </span>
            )}
            {query === null ? (
              <button type="button" className="button" onClick={search.reload}>
                {t.refresh}
              </button>
            ) : null}
          </>
        }
      />
      <SearchForm
        filter={filter}
        hasAccounts={ownAccount === null}
        onSearch={(next) => {
          recipient.clear()
          setTypedNumber(null)
          void navigate({ to: '/messages', search: next })
        }}
        onOpen={(msgKey) => void navigate({ to: '/messages/$msgKey', params: { msgKey } })}
        onRecipient={mayReveal ? setTypedNumber : null}
      />
      {typedNumber === null || query !== null ? null : (
        <RecipientForm
          number={typedNumber}
          account={ownAccount ?? filter.account ?? ''}
          hasAccounts={ownAccount === null}
          onSearch={recipient.search}
          onClose={() => setTypedNumber(null)}
        />
      )}
      {query === null ? null : (
        <div className="found-head">
          <h2>{t.recipientFound(query.account, maskNumber(query.recipient))}</h2>
          <button
            type="button"
            className="button"
            onClick={() => {
              recipient.clear()
              setTypedNumber(null)
            }}
          >
            {t.recipientClose}
          </button>
        </div>
      )}
      <ResultTable
        pages={pages}
        isFiltered={isFiltered}
        isAccountFiltered={filter.account !== undefined}
        hasAccounts={ownAccount === null}
      />
    </>
  )
}
