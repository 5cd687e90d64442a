/** Confirms a route action after showing its effect on waiting messages. */
import { useDeferredValue, useId, useState } from 'react'
import { useChange, useRead } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { useTexts } from '../../../texts/texts.ts'
import type { RouteDetails } from '../figures.ts'
import { Effect, type RouteAction } from './Effect.tsx'
import { actionTexts } from './texts.ts'

interface Props {
  readonly route: RouteDetails
  readonly act: RouteAction
  readonly onDone: () => void
  readonly onClose: () => void
}

const maxRate = 100_000

export function ActionDialog({ route, act, onDone, onClose }: Props) {
  const t = useTexts(actionTexts)
  const run = useRunAction(route)
  const [rateText, setRateText] = useState(String(route.partsPerSecond))
  const rate = readRate(rateText)
  const partsPerSecond = useDeferredValue(act === 'rate' ? rate : undefined)
  const preview = useRead(
    'previewRouteAct',
    { params: { routeId: route.id }, body: { act: act === 'open' ? 'enable' : act, partsPerSecond } },
    { enabled: act !== 'rate' || partsPerSecond !== undefined },
  )
  const shown = preview.isPlaceholderData ? undefined : preview.data
  return (
    <Confirm
      title={t[`title-${act}`](route.id)}
      confirmLabel={t[act]}
      danger={act === 'disable'}
      // A failed preview must not prevent the action.
      ready={(shown !== undefined || preview.error !== null) && (act !== 'rate' || rate !== undefined)}
      onConfirm={async (reason) => {
        await run(act, reason, rate)
        onDone()
      }}
      onClose={onClose}
    >
      <div className="effect">
        {act === 'rate' ? <RateField route={route} value={rateText} onChange={setRateText} /> : null}
        <p>{t[`effect-${act === 'open' ? 'enable' : act}`]}</p>
        {preview.error === null ? null : <ProblemNotice problem={preview.error} />}
        {shown !== undefined ? (
          <Effect act={act} preview={shown} />
        ) : preview.error === null ? (
          <p className="muted" role="status">
            {t.computing}
          </p>
        ) : null}
      </div>
    </Confirm>
  )
}

function useRunAction({
  id: routeId,
  version,
}: RouteDetails): (act: RouteAction, reason: string, partsPerSecond: number | undefined) => Promise<unknown> {
  const enable = useChange('enableRoute')
  const pause = useChange('pauseRoute')
  const drain = useChange('drainRoute')
  const disable = useChange('disableRoute')
  const rate = useChange('setRouteRate')
  const switches = { pause, drain, disable }
  return (act, reason, partsPerSecond) => {
    const params = { routeId }
    if (act === 'rate') return rate.mutateAsync({ params, body: { partsPerSecond: partsPerSecond!, reason } })
    if (act === 'enable' || act === 'open')
      return enable.mutateAsync({ params, body: { reviewed: version, reason } })
    return switches[act].mutateAsync({ params, body: { reason } })
  }
}

interface RateFieldProps {
  readonly route: RouteDetails
  readonly value: string
  readonly onChange: (text: string) => void
}

function RateField({ route, value, onChange }: RateFieldProps) {
  const t = useTexts(actionTexts)
  const ids = { input: useId(), hint: useId() }
  const { partsPerSecond } = route
  return (
    <div className="field">
      <label htmlFor={ids.input}>{t.newRate}</label>
      <input
        id={ids.input}
        className="input"
        type="number"
        inputMode="numeric"
        min="0"
        max={maxRate}
        step="1"
        required
        value={value}
        aria-describedby={ids.hint}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={ids.hint} className="small muted">
        {t.newRateHint(partsPerSecond === 0 ? t.unlimited : String(partsPerSecond))}
      </span>
    </div>
  )
}

/** Returns undefined for a text that is not a whole number from 0 to `maxRate`. */
function readRate(text: string): number | undefined {
  const rate = Number(text)
  return text.trim() !== '' && Number.isInteger(rate) && rate >= 0 && rate <= maxRate ? rate : undefined
}
