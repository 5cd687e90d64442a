/** Shows and changes the simulated carrier behaviour of each sandbox route. */
import { useId, useState, type SyntheticEvent } from 'react'
import type { Data } from '../../api/call.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { Badge } from '../../components/Badge.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { causes, behaviours, type Behaviour as Chosen } from './behaviours.ts'
import { sandboxTexts } from './texts.ts'

type Route = Data<'listSandboxRoutes'>['items'][number]

export function CarrierBehaviour() {
  const t = useTexts(sandboxTexts)
  const routes = useRead('listSandboxRoutes', {}, { everyMs: 5_000 })
  return (
    <section className="card" aria-labelledby="carrier-title">
      <h2 id="carrier-title">{t.carrier}</h2>
      <p className="small muted">{t.carrierHint}</p>
      {routes.error === null ? null : <ProblemNotice problem={routes.error} />}
      {(routes.data?.items ?? []).map((route) => (
        <RouteForm
          key={`${route.id} ${route.behaviour} ${route.cause} ${route.delaySeconds}`}
          route={route}
        />
      ))}
    </section>
  )
}

function RouteForm({ route }: { readonly route: Route }) {
  const t = useTexts(sandboxTexts)
  const ids = { behaviour: useId(), cause: useId(), delay: useId() }
  const change = useChange('setSandboxBehaviour')
  const [behaviour, setBehaviour] = useState<Chosen>(route.behaviour)
  const [cause, setCause] = useState(route.cause)
  const [delay, setDelay] = useState(String(route.delaySeconds))
  const [confirming, setConfirming] = useState(false)
  const behaviourName = (one: Chosen): string => (one === 'by-number' ? t['by-number'] : t[`behaves-${one}`])
  const changed =
    behaviour !== route.behaviour ||
    (['failed', 'refused'].includes(behaviour) && cause !== route.cause) ||
    (behaviour === 'slow' && delay !== String(route.delaySeconds))
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    setConfirming(true)
  }
  return (
    <>
      <form className="behaviour" onSubmit={submit}>
        <h3 className="inline">
          {route.id}
          <Badge tone={route.behaviour === 'by-number' ? 'idle' : 'warn'}>
            {behaviourName(route.behaviour)}
          </Badge>
        </h3>
        <div className="field">
          <label htmlFor={ids.behaviour} className="hidden-visually">
            {t.behaviourOf(route.id)}
          </label>
          <select
            id={ids.behaviour}
            className="select"
            value={behaviour}
            onChange={(event) => setBehaviour(event.target.value as Chosen)}
          >
            {behaviours.map((one) => (
              <option key={one} value={one}>
                {behaviourName(one)}
              </option>
            ))}
          </select>
        </div>
        {behaviour === 'failed' || behaviour === 'refused' ? (
          <div className="field">
            <label htmlFor={ids.cause}>{t.cause}</label>
            <select
              id={ids.cause}
              className="select"
              value={cause}
              onChange={(event) => setCause(event.target.value as Route['cause'])}
            >
              {causes.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </div>
        ) : null}
        {behaviour === 'slow' ? (
          <div className="field">
            <label htmlFor={ids.delay}>{t.delay}</label>
            <input
              id={ids.delay}
              className="input"
              type="number"
              min={1}
              max={600}
              required
              value={delay}
              onChange={(event) => setDelay(event.target.value)}
            />
          </div>
        ) : null}
        <button type="submit" className="button" disabled={!changed}>
          {t.apply}
          <span className="hidden-visually">: {t.behaviourOf(route.id)}</span>
        </button>
      </form>
      {confirming ? (
        <Confirm
          title={t.applyTitle(route.id, behaviourName(behaviour))}
          confirmLabel={t.apply}
          reason="optional"
          onClose={() => setConfirming(false)}
          onConfirm={(reason) =>
            change.mutateAsync({
              params: { routeId: route.id },
              body: { behaviour, cause, delaySeconds: Number(delay), ...(reason === '' ? {} : { reason }) },
            })
          }
        >
          <p>{t[`effect-${behaviour}`]}</p>
          <p>{t.effectAll}</p>
        </Confirm>
      ) : null}
    </>
  )
}
