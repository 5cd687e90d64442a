/** Explains the route choice for a message: all routes by preference, each with the decision. */
import '../routes.css'
import './explain.css'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useRead } from '../../../api/queries.ts'
import { PageHead } from '../../../components/PageHead.tsx'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { shared } from '../../../texts/shared.ts'
import { useTexts } from '../../../texts/texts.ts'
import { channelNames, type ChannelName } from '../figures.ts'
import { readSearchChoice } from '../../../components/search-text.ts'
import { RouteDecisions } from './RouteDecisions.tsx'
import { explainTexts } from './texts.ts'

const routeApi = getRouteApi('/explain')

interface Question {
  readonly account: string
  readonly channel: ChannelName
  readonly to: string
}

export function ExplainScreen() {
  const t = useTexts(explainTexts)
  const { loading } = useTexts(shared)
  const search = routeApi.useSearch()
  const navigate = useNavigate({ from: '/explain' })
  const [submitted, setSubmitted] = useState<Question | null>(null)
  const { data, error, isFetching, isPlaceholderData, refetch } = useRead(
    'explainRoute',
    { body: submitted ?? { account: '', channel: 'sms', to: '' } },
    { enabled: submitted !== null },
  )
  const explain = (question: Question): void => {
    const { account, channel } = question
    void navigate({ to: '/explain', search: { account, channel }, replace: true })
    setSubmitted(question)
    // The same input again: the health of routes may have changed.
    if (JSON.stringify(question) === JSON.stringify(submitted)) void refetch()
  }
  const decisions = submitted !== null && !isPlaceholderData && error === null ? data : undefined
  return (
    <>
      <nav className="small" aria-label={t.back}>
        <Link to="/routes">← {t.back}</Link>
      </nav>
      <PageHead title={t.title} hint={t.hint} />
      <QuestionForm account={search.account ?? ''} channel={search.channel ?? 'sms'} onSubmit={explain} />
      {error === null || submitted === null ? null : <ProblemNotice problem={error} />}
      <div aria-live="polite">
        {decisions !== undefined ? (
          <RouteDecisions explained={decisions} account={submitted!.account} channel={submitted!.channel} />
        ) : submitted === null ? (
          <p className="card empty">{t.start}</p>
        ) : isFetching ? (
          <p className="empty">{loading}</p>
        ) : null}
      </div>
    </>
  )
}

interface FormProps {
  readonly account: string
  readonly channel: ChannelName
  readonly onSubmit: (question: Question) => void
}

const minTyped = 2

function QuestionForm({ account: givenAccount, channel: givenChannel, onSubmit }: FormProps) {
  const t = useTexts(explainTexts)
  const ids = { account: useId(), accounts: useId(), channel: useId(), to: useId() }
  const [account, setAccount] = useState(givenAccount)
  const [channel, setChannel] = useState(givenChannel)
  const [to, setTo] = useState('')
  const accounts = useRead(
    'listAccounts',
    { query: { prefix: account.trim(), limit: 10 } },
    { enabled: account.trim().length >= minTyped },
  )
  return (
    <form
      className="card filters"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit({ account: account.trim(), channel, to: to.replaceAll(/[\s-]/g, '') })
      }}
    >
      <div className="field">
        <label htmlFor={ids.account}>{t.account}</label>
        <input
          id={ids.account}
          className="input"
          list={ids.accounts}
          required
          autoComplete="off"
          value={account}
          maxLength={200}
          placeholder={t.accountHint}
          onChange={(event) => setAccount(event.target.value)}
        />
        <datalist id={ids.accounts}>
          {(accounts.data?.items ?? []).map(({ clientId, name }) => (
            <option key={clientId} value={clientId}>
              {name}
            </option>
          ))}
        </datalist>
      </div>
      <div className="field">
        <label htmlFor={ids.channel}>{t.channel}</label>
        <select
          id={ids.channel}
          className="select"
          value={channel}
          onChange={(event) => setChannel(readSearchChoice(event.target.value, channelNames) ?? 'sms')}
        >
          {channelNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={ids.to}>{t.to}</label>
        <input
          id={ids.to}
          className="input"
          type="tel"
          required
          autoComplete="off"
          value={to}
          minLength={3}
          maxLength={24}
          placeholder={t.toHint}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <button type="submit" className="button primary">
        {t.explain}
      </button>
    </form>
  )
}
