/** Shows the effect of an action as computed by the API: where waiting messages go and what fails. */
import { Badge, type Tone } from '../../../components/Badge.tsx'
import type { Data } from '../../../api/call.ts'
import { usePreferences } from '../../../preferences/preferences.ts'
import { formatCount, formatDuration } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useStateText } from '../states/states.ts'
import { actionTexts } from './texts.ts'

/** `open` is `enable` for a paused or draining route. */
export type RouteAction = 'enable' | 'open' | 'pause' | 'drain' | 'disable' | 'rate'

type Preview = Data<'previewRouteAct'>

const tones: Readonly<Record<Preview['destinations'][number]['becomes'], Tone>> = {
  moved: 'info',
  waits: 'warn',
  sent: 'ok',
  fails: 'bad',
}

export function Effect({ act, preview }: { readonly act: RouteAction; readonly preview: Preview }) {
  const t = useTexts(actionTexts)
  const { language } = usePreferences()
  const count = (value: number): string => formatCount(value, language)
  const { waiting, drainSeconds } = preview
  return (
    <>
      <Attention act={act} preview={preview} />
      <section aria-label={t.waitsNow}>
        <h3>{t.waitsNow}</h3>
        {waiting.steps === 0 ? (
          <p>{t.nothingWaits}</p>
        ) : (
          <p className="number">
            <strong>{waiting.more ? t.moreThan(count(waiting.steps)) : t.steps(count(waiting.steps))}</strong>{' '}
            <span className="muted">
              {waiting.lanes.map(({ lane, steps }) => `${t[`lane-${lane}`]} ${count(steps)}`).join(' · ')}
            </span>
          </p>
        )}
        {drainSeconds === null || waiting.steps === 0 ? null : (
          <p>{t.takes(formatDuration(drainSeconds, language))}</p>
        )}
      </section>
      <Destinations preview={preview} />
      <Others preview={preview} />
    </>
  )
}

function Destinations({ preview: { destinations, looked, waiting } }: { readonly preview: Preview }) {
  const t = useTexts(actionTexts)
  const { language } = usePreferences()
  if (looked === 0) return null
  return (
    <section aria-label={t.becomes}>
      <h3>{t.becomes}</h3>
      <div className="split" aria-hidden="true">
        {destinations.map(({ route, becomes, steps }) => (
          <span key={`${becomes} ${route}`} className={tones[becomes]} style={{ flexGrow: steps }} />
        ))}
      </div>
      <ul className="plain-list">
        {destinations.map(({ route, becomes, steps }) => (
          <li key={`${becomes} ${route}`}>
            <Badge tone={tones[becomes]}>{t[becomes](formatCount(steps, language), route ?? '')}</Badge>
          </li>
        ))}
      </ul>
      {looked < waiting.steps ? (
        <p className="small muted">{t.sampled(formatCount(looked, language))}</p>
      ) : null}
    </section>
  )
}

/** Warns about channels that no other route serves, and about pending receipts. */
function Attention({ act, preview }: { readonly act: RouteAction; readonly preview: Preview }) {
  const t = useTexts(actionTexts)
  const { language } = usePreferences()
  const { receiptsOwed, unservedChannels } = preview
  const closes = act === 'pause' || act === 'drain' || act === 'disable'
  const unserved = closes && unservedChannels.length > 0
  if (!unserved && (!closes || receiptsOwed.count === 0)) return null
  const channels = unservedChannels.join(', ')
  return (
    <ul className="attention">
      {unserved ? (
        <li>
          <Badge tone={act === 'pause' ? 'warn' : 'bad'}>{t.attention}</Badge>{' '}
          {act === 'pause' ? t.unservedWait(channels) : t.unservedFail(channels)}
        </li>
      ) : null}
      {receiptsOwed.count > 0 ? (
        <li>
          {act === 'disable' ? <Badge tone="warn">{t.attention}</Badge> : null}{' '}
          {t.receipts(`${formatCount(receiptsOwed.count, language)}${receiptsOwed.more ? '+' : ''}`)}{' '}
          {act === 'disable' ? t.receiptsLost : null}
        </li>
      ) : null}
    </ul>
  )
}

function Others({ preview: { alternatives } }: { readonly preview: Preview }) {
  const t = useTexts(actionTexts)
  const stateText = useStateText()
  if (alternatives.length === 0) return null
  return (
    <p className="small muted">
      {t.others}: {alternatives.map(({ id, state }) => `${id} (${stateText(state).text})`).join(', ')}
    </p>
  )
}
