/** Health badge of a route with the reason below. */
import { Badge, type Tone } from '../../components/Badge.tsx'
import { useTexts } from '../../texts/texts.ts'
import {
  deliveredShare,
  isFailing,
  maxThrottledShare,
  formatPercent,
  type RouteRow,
  type RouteStatus,
} from './figures.ts'
import { useStateText } from './states/states.ts'
import { routesTexts } from './texts.ts'

export const tones: Readonly<Record<RouteStatus, Tone>> = {
  down: 'bad',
  impaired: 'warn',
  closed: 'info',
  none: 'ok',
  disabled: 'idle',
}

export function Health({ row }: { readonly row: RouteRow }) {
  const t = useTexts(routesTexts)
  const stateText = useStateText()
  const { trouble } = row.flow
  return (
    <>
      <Badge tone={tones[trouble]}>{t[trouble]}</Badge>
      {trouble === 'none' || trouble === 'disabled' ? null : (
        <div className="small muted">
          {row.state === 'healthy' ? <Concern flow={row.flow} /> : stateText(row.state).text}
        </div>
      )}
    </>
  )
}

/** Shows the problem of a route that accepts messages. */
function Concern({ flow }: { readonly flow: RouteRow['flow'] }) {
  const t = useTexts(routesTexts)
  if (isFailing(flow)) return t.failing(formatPercent(1 - deliveredShare(flow)!))
  return flow.throttledShare > maxThrottledShare ? t.throttling(formatPercent(flow.throttledShare)) : null
}
