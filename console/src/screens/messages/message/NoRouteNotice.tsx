/** Explains for each route why it does not serve the message, by the current configuration. */
import '../../routes/routes.css'
import '../../routes/explain/explain.css'
import { useRead } from '../../../api/queries.ts'
import { Loading } from '../../../components/Loading.tsx'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { RouteDecisions } from '../../routes/explain/RouteDecisions.tsx'
import { messageTexts } from './texts.ts'
import type { Message } from './stops.ts'

const noRouteCode = '90000'

export function hasNoRoute({ events, account }: Message): boolean {
  const closed = events.find(({ kind }) => kind === 'closed')
  return closed?.details.code === noRouteCode && account !== null
}

export function NoRouteNotice({ message: { msgKey, account } }: { readonly message: Message }) {
  const t = useTexts(messageTexts)
  const { data, error, refetch } = useRead('explainMessage', { params: { msgKey } })
  return (
    <>
      <h2>{t.unserved}</h2>
      {error === null ? null : <ProblemNotice problem={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : null
      ) : (
        <RouteDecisions explained={data} account={account ?? ''} channel={data.channel} />
      )}
    </>
  )
}
