import { getRouteApi, Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useRead } from '../../../api/queries.ts'
import { Loading } from '../../../components/Loading.tsx'
import { PageHead } from '../../../components/PageHead.tsx'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { useTexts } from '../../../texts/texts.ts'
import type { RouteDetails } from '../figures.ts'
import { RouteForm } from './RouteForm.tsx'
import { startDraft, toDraft, type Connector } from './settings.ts'
import { editTexts } from './texts.ts'

const routeApi = getRouteApi('/routes/$id/edit')

export function NewRouteScreen() {
  const t = useTexts(editTexts)
  return (
    <>
      <nav className="small" aria-label={t.back}>
        <Link to="/routes">← {t.back}</Link>
      </nav>
      <PageHead title={t.newTitle} hint={t.newHint} />
      <WithConnectors>
        {(connectors) => {
          const first = connectors.find(({ protocol }) => protocol === 'smpp') ?? connectors[0]!
          return <RouteForm connectors={connectors} initial={startDraft('', first)} version={null} />
        }}
      </WithConnectors>
    </>
  )
}

export function EditRouteScreen() {
  const t = useTexts(editTexts)
  const { id } = routeApi.useParams()
  const { data, error, isPlaceholderData, refetch } = useRead('showRoute', { params: { routeId: id } })
  const [edited, setEdited] = useState<RouteDetails | null>(null)
  const read = isPlaceholderData ? undefined : data
  // Keep the edited version until the operator reloads it, so that a concurrent change is detected.
  if (read !== undefined && edited?.id !== id) setEdited(read)
  return (
    <>
      <nav className="small" aria-label={id}>
        <Link to="/routes/$id" params={{ id }}>
          ← {id}
        </Link>
      </nav>
      <PageHead title={t.editTitle(id)} />
      {error === null ? null : <ProblemNotice problem={error} onRetry={() => void refetch()} />}
      {edited?.id !== id ? (
        error === null ? (
          <Loading />
        ) : null
      ) : (
        <WithConnectors>
          {(connectors) => (
            <RouteForm
              key={edited.version}
              connectors={connectors}
              initial={toDraft(edited)}
              version={edited.version}
              onReload={() => void refetch().then((again) => again.data && setEdited(again.data))}
            />
          )}
        </WithConnectors>
      )}
    </>
  )
}

function WithConnectors({
  children,
}: {
  readonly children: (connectors: readonly Connector[]) => ReactNode
}) {
  const { data, error, refetch } = useRead('listConnectors', {})
  if (data !== undefined) return children(data.connectors)
  return error === null ? <Loading /> : <ProblemNotice problem={error} onRetry={() => void refetch()} />
}
