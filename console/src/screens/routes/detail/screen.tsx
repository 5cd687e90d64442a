import '../routes.css'
import './detail.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRead } from '../../../api/queries.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Loading } from '../../../components/Loading.tsx'
import { PageHead } from '../../../components/PageHead.tsx'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { TestButton, testChannels } from '../../messages/test/SendTest.tsx'
import { RouteActions } from '../actions/RouteActions.tsx'
import { isFailing, sumResults, type RouteDetails } from '../figures.ts'
import { useStateText } from '../states/states.ts'
import { routesTexts } from '../texts.ts'
import { Changes } from './Changes.tsx'
import { Failures } from './Failures.tsx'
import { RouteStats } from './RouteStats.tsx'
import { Options, Settings } from './Settings.tsx'
import { Shares } from './Shares.tsx'
import { TimeChart } from './TimeChart.tsx'
import { RouteProblems } from './RouteProblems.tsx'
import { routeTexts } from './texts.ts'
import { useChanges } from './use-changes.ts'
import { useRefusedNumbers } from './use-refused-numbers.ts'

const routeApi = getRouteApi('/routes/$id')

export function RouteScreen() {
  const t = useTexts(routeTexts)
  const { id } = routeApi.useParams()
  const { data, error, isPending, isPlaceholderData, refetch } = useRead(
    'showRoute',
    { params: { routeId: id } },
    { everyMs: 2_000 },
  )
  // Placeholder data belongs to the previous route.
  const route = isPlaceholderData ? undefined : data
  return (
    <>
      <nav className="small" aria-label={t.back}>
        <Link to="/routes">← {t.back}</Link>
      </nav>
      <PageHead title={id} actions={route === undefined ? undefined : <HeadActions route={route} />}>
        {route === undefined ? null : <HealthBadge route={route} />}
      </PageHead>
      {error === null ? null : <ProblemNotice problem={error} onRetry={() => void refetch()} />}
      {route === undefined ? (
        isPending || isPlaceholderData ? (
          <Loading />
        ) : null
      ) : (
        <Found key={id} route={route} />
      )}
    </>
  )
}

function HeadActions({ route: { id, channels, accounts } }: { readonly route: RouteDetails }) {
  const t = useTexts(routeTexts)
  const mayChange = useRight('routes')
  const channel = testChannels.find((one) => channels.includes(one))
  return (
    <>
      {channel === undefined ? null : <TestButton account={accounts[0]} channel={channel} />}
      {mayChange ? (
        <Link to="/routes/$id/edit" params={{ id }} className="button">
          {t.edit}
        </Link>
      ) : null}
    </>
  )
}

function Found({ route }: { readonly route: RouteDetails }) {
  const changes = useChanges(route.id)
  return (
    <>
      <div className="route-top">
        <RouteProblems route={route} />
        <RouteActions route={route} />
      </div>
      <RouteStats route={route} />
      <Failures id={route.id} />
      <TimeChart minutes={route.minutes} changes={changes.inLastHour} />
      <Shares route={route} />
      <div className="route-halves">
        <Settings route={route} />
        <Options options={route.options} />
        <Changes changes={changes} />
      </div>
    </>
  )
}

function HealthBadge({ route }: { readonly route: RouteDetails }) {
  const { impaired } = useTexts(routesTexts)
  const { id, enabled, traffic, usable, state, slow, minutes } = route
  const refused = useRefusedNumbers(id)
  const { text } = useStateText()(state)
  if (state === 'healthy')
    return slow !== null || refused !== undefined || isFailing(sumResults(minutes)) ? (
      <Badge tone="warn">{impaired}</Badge>
    ) : (
      <Badge tone="ok">{text}</Badge>
    )
  const tone = !enabled ? 'idle' : traffic !== 'open' ? 'info' : !usable ? 'bad' : 'warn'
  return <Badge tone={tone}>{text}</Badge>
}
