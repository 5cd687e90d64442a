import '../../components/section.css'
import './account.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRead } from '../../api/queries.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Loading } from '../../components/Loading.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { useClientAccount } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { TestButton } from '../messages/test/SendTest.tsx'
import { BlockActions } from './block/BlockActions.tsx'
import { BlockHistory } from './block/BlockHistory.tsx'
import { Credentials } from './credentials/Credentials.tsx'
import { Caps } from './limits/Caps.tsx'
import { Limits } from './limits/Limits.tsx'
import { Burst } from './page/Burst.tsx'
import { AccountStats } from './page/AccountStats.tsx'
import { AccountSenders } from './page/AccountSenders.tsx'
import { AccountWebhooks } from './page/AccountWebhooks.tsx'
import { accountTexts } from './page/texts.ts'
import { Usage } from './page/Usage.tsx'
import { StateBadge } from './StateBadge.tsx'

const route = getRouteApi('/accounts/$id')

export function AccountScreen() {
  const { id } = route.useParams()
  return <AccountPage id={id} />
}

/** Page of an account; client users see it as their first screen. */
export function AccountPage({ id }: { readonly id: string }) {
  const own = useClientAccount()
  const enabled = own === null || own === id
  const t = useTexts(accountTexts)
  const account = useRead('showAccount', { params: { clientId: id } })
  const state = useRead('showAccountState', { params: { clientId: id } }, { everyMs: 5_000, enabled })
  const usage = useRead(
    'showUsage',
    { params: { clientId: id }, query: { groupBy: 'day,outcome', limit: 200 } },
    { enabled },
  )
  const { data } = account
  if (data === undefined)
    return (
      <>
        <PageHead title={id} />
        {account.error === null ? (
          <Loading />
        ) : (
          <ProblemNotice problem={account.error} onRetry={() => void account.refetch()} />
        )}
      </>
    )
  return (
    <>
      <PageHead
        title={data.name === '' ? id : data.name}
        actions={
          <>
            <TestButton account={id} />
            <BlockActions account={data} state={state.data} />
          </>
        }
        hint={
          <span className="inline">
            {own !== null ? null : <Link to="/accounts">{t.all}</Link>}
            <span className="mono">{id}</span>
            <CopyButton text={id} what={id} />
            {state.data?.sandbox === true ? t.sandbox : null}
            {state.data?.kind === 'reseller' ? t.reseller : null}
          </span>
        }
      >
        <StateBadge state={data.state} />
      </PageHead>
      {state.error === null ? null : (
        <ProblemNotice problem={state.error} onRetry={() => void state.refetch()} />
      )}
      <Burst id={id} />
      <AccountStats id={id} state={state.data} usage={usage.data} />
      <Usage usage={usage} />
      <div className="halves">
        <Limits account={data} state={state.data} />
        <Caps id={id} state={state.data} />
      </div>
      <Credentials id={id} />
      <AccountSenders id={id} />
      <AccountWebhooks id={id} />
      {data.stops === undefined ? null : <BlockHistory stops={data.stops} />}
    </>
  )
}
