/** Message flow as a list, for narrow screens and screen readers. */
import { Link } from '@tanstack/react-router'
import type { Now } from '../../api/now-feed.ts'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount, formatRate } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { maxLanes } from './flow-layout.ts'
import { toStages, type Stage } from './stages.ts'
import { nowTexts } from './texts.ts'

const badges: Readonly<Record<Stage['tone'], Tone>> = { calm: 'ok', warn: 'warn', bad: 'bad' }

export function FlowList({ now, hidden }: { readonly now: Now; readonly hidden: boolean }) {
  const t = useTexts(nowTexts)
  const { language } = usePreferences()
  return (
    <ol className={hidden ? 'hidden-visually' : 'flow-list'}>
      {toStages(now).map(({ id, rate, backlog, tone }) => (
        <li key={id} className={tone}>
          <span className="stage-name">{t[`stage-${id}`]}</span>
          <span className="stage-figures number">
            {rate === null ? '–' : formatRate(rate)} /s
            {backlog === undefined ? null : (
              <>
                {' · '}
                <Badge tone={badges[tone]}>
                  {t.waits(backlog === null ? '?' : formatCount(backlog, language))}
                </Badge>
              </>
            )}
          </span>
          {id === 'carriers' ? <Lanes now={now} focusable={!hidden} /> : null}
        </li>
      ))}
    </ol>
  )
}

function Lanes({ now, focusable }: { readonly now: Now; readonly focusable: boolean }) {
  const t = useTexts(nowTexts)
  const { language } = usePreferences()
  return (
    <ul className="lane-list">
      {now.lanes.slice(0, maxLanes).map(({ route, usable, state, slow, waiting, delivered, failed }) => (
        <li key={route}>
          <Badge tone={usable ? (slow === null ? 'ok' : 'warn') : 'bad'}>
            {usable ? (slow === null ? t.healthy : t.slow) : state}
          </Badge>{' '}
          {focusable ? (
            <Link to="/routes/$id" params={{ id: route }}>
              {route}
            </Link>
          ) : (
            route
          )}{' '}
          <span className="number muted">
            {formatRate(delivered + failed)} /s
            {waiting > 0 ? ` · ${t.waits(formatCount(waiting, language))}` : ''}
          </span>
        </li>
      ))}
    </ul>
  )
}
