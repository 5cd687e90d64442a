/** How a route is, in a word, and below it what is wrong. */
import { Badge, type Tone } from '../../components/Badge.tsx'
import { useTexts } from '../../texts/texts.ts'
import {
  deliveredShare,
  isFailing,
  maxThrottledShare,
  percent,
  type RouteRow,
  type Trouble,
} from './figures.ts'
import { useStateText } from './states/states.ts'
import { routesTexts } from './texts.ts'

export const tones: Readonly<Record<Trouble, Tone>> = {
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

/** Of a route that takes messages and is not as it should be. */
function Concern({ flow }: { readonly flow: RouteRow['flow'] }) {
  const t = useTexts(routesTexts)
  if (isFailing(flow)) return t.failing(percent(1 - deliveredShare(flow)!))
  return flow.throttledShare > maxThrottledShare ? t.throttling(percent(flow.throttledShare)) : null
}
