/** Why a message takes which route: all routes in the order of preference, each with its verdict. */
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
import { oneOf } from '../search.ts'
import { Ladder } from './Ladder.tsx'
import { explainTexts } from './texts.ts'

const address = getRouteApi('/explain')

interface Question {
  readonly account: string
  readonly channel: ChannelName
  readonly to: string
}

export function ExplainScreen() {
  const t = useTexts(explainTexts)
  const { loading } = useTexts(shared)
  const search = address.useSearch()
  const navigate = useNavigate({ from: '/explain' })
  const [asked, setAsked] = useState<Question | null>(null)
  const { data, error, isFetching, isPlaceholderData, refetch } = useRead(
    'explainRoute',
    { body: asked ?? { account: '', channel: 'sms', to: '' } },
    { enabled: asked !== null },
  )
  const ask = (question: Question): void => {
    const { account, channel } = question
    void navigate({ to: '/explain', search: { account, channel }, replace: true })
    setAsked(question)
    // The same question again: the health of routes may have changed.
    if (JSON.stringify(question) === JSON.stringify(asked)) void refetch()
  }
  const shown = asked !== null && !isPlaceholderData && error === null ? data : undefined
  return (
    <>
      <nav className="small" aria-label={t.back}>
        <Link to="/routes">← {t.back}</Link>
      </nav>
      <PageHead title={t.title} hint={t.hint} />
      <QuestionForm account={search.account ?? ''} channel={search.channel ?? 'sms'} onAsk={ask} />
      {error === null || asked === null ? null : <ProblemNotice problem={error} />}
      <div aria-live="polite">
        {shown !== undefined ? (
          <Ladder explained={shown} account={asked!.account} channel={asked!.channel} />
        ) : asked === null ? (
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
  readonly onAsk: (question: Question) => void
}

const minTyped = 2

function QuestionForm({ account: givenAccount, channel: givenChannel, onAsk }: FormProps) {
  const t = useTexts(explainTexts)
  const ids = { account: useId(), accounts: useId(), channel: useId(), to: useId() }
  const [account, setAccount] = useState(givenAccount)
  const [channel, setChannel] = useState(givenChannel)
  const [to, setTo] = useState('')
  const known = useRead(
    'listAccounts',
    { query: { prefix: account.trim(), limit: 10 } },
    { enabled: account.trim().length >= minTyped },
  )
  return (
    <form
      className="card filters"
      onSubmit={(event) => {
        event.preventDefault()
        onAsk({ account: account.trim(), channel, to: to.replaceAll(/[\s-]/g, '') })
      }}
    >
      <div className="field">
        <label htmlFor={ids.account}>{t.account}</label>
        <input
          {...{
            id: ids.account,
            className: 'input',
            list: ids.accounts,
            required: true,
            autoComplete: 'off',
          }}
          {...{ value: account, maxLength: 200, placeholder: t.accountHint }}
          onChange={(event) => setAccount(event.target.value)}
        />
        <datalist id={ids.accounts}>
          {(known.data?.items ?? []).map(({ clientId, name }) => (
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
          onChange={(event) => setChannel(oneOf(channelNames, event.target.value) ?? 'sms')}
        >
          {channelNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={ids.to}>{t.to}</label>
        <input
          {...{ id: ids.to, className: 'input', type: 'tel', required: true, autoComplete: 'off' }}
          {...{ value: to, minLength: 3, maxLength: 24, placeholder: t.toHint }}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <button type="submit" className="button primary">
        {t.explain}
      </button>
    </form>
  )
}
