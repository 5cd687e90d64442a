/** Search of messages. The filters are in the address; a recipient is not, because it is personal data. */
import './messages.css'
import { useNavigate, useSearch as useAddress } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHead } from '../../components/PageHead.tsx'
import { Time } from '../../components/Time.tsx'
import { useClientAccount, useMay } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { FoundTable } from './FoundTable.tsx'
import { maskNumber } from './mask.ts'
import { RecipientForm } from './RecipientForm.tsx'
import { SearchForm } from './SearchForm.tsx'
import { searchTexts } from './texts.ts'
import { useRecipientSearch, useSearch } from './use-search.ts'

export function MessagesScreen() {
  const t = useTexts(searchTexts)
  const navigate = useNavigate()
  const filter = useAddress({ from: '/messages' })
  const mayReveal = useMay('reveal', 'searchRecipient')
  const own = useClientAccount()
  const all = useSearch(filter)
  const recipient = useRecipientSearch()
  const [asked, setAsked] = useState<string | null>(null)
  const { question } = recipient
  const pages = question === null ? all : recipient.pages
  const isFiltered = question !== null || Object.keys(filter).length > 0
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
            {question === null ? (
              <button type="button" className="button" onClick={all.reload}>
                {t.refresh}
              </button>
            ) : null}
          </>
        }
      />
      <SearchForm
        filter={filter}
        hasAccounts={own === null}
        onSearch={(next) => {
          recipient.clear()
          setAsked(null)
          void navigate({ to: '/messages', search: next })
        }}
        onOpen={(msgKey) => void navigate({ to: '/messages/$msgKey', params: { msgKey } })}
        onRecipient={mayReveal ? setAsked : null}
      />
      {asked === null || question !== null ? null : (
        <RecipientForm
          number={asked}
          account={own ?? filter.account ?? ''}
          hasAccounts={own === null}
          onAsk={recipient.ask}
          onClose={() => setAsked(null)}
        />
      )}
      {question === null ? null : (
        <div className="found-head">
          <h2>{t.recipientFound(question.account, maskNumber(question.recipient))}</h2>
          <button
            type="button"
            className="button"
            onClick={() => {
              recipient.clear()
              setAsked(null)
            }}
          >
            {t.recipientClose}
          </button>
        </div>
      )}
      <FoundTable
        pages={pages}
        isFiltered={isFiltered}
        hasAccount={filter.account !== undefined}
        hasAccounts={own === null}
      />
    </>
  )
}
