/** Actions on a route. Each opens a dialog that previews the effect on waiting messages. */
import { useState } from 'react'
import { Done } from '../../../components/Done.tsx'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { RouteDetails } from '../figures.ts'
import { ActionDialog } from './ActionDialog.tsx'
import type { RouteAction } from './Effect.tsx'
import { actionTexts } from './texts.ts'

export function RouteActions({ route }: { readonly route: RouteDetails }) {
  const t = useTexts(actionTexts)
  const mayChange = useRight('routes')
  const [chosen, setChosen] = useState<RouteAction | null>(null)
  const [last, setLast] = useState<RouteAction | null>(null)
  if (!mayChange) return <p className="small muted">{t.mayNot}</p>
  return (
    <section className="acts" aria-labelledby="acts-title">
      <h2 id="acts-title" className="hidden-visually">
        {t.actions}
      </h2>
      {availableActions(route).map((act) => (
        <button
          key={act}
          type="button"
          className={act === 'enable' || act === 'open' ? 'button primary' : 'button'}
          onClick={() => setChosen(act)}
        >
          {t[act]}
          <span className="act-hint">{t[`hint-${act === 'open' ? 'enable' : act}`]}</span>
        </button>
      ))}
      <Done label={t.done}>{last === null ? null : t.followed(t[`was-${last}`])}</Done>
      {chosen === null ? null : (
        <ActionDialog
          route={route}
          act={chosen}
          onDone={() => setLast(chosen)}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  )
}

/** Returns the actions that are offered in the current state of the route. */
function availableActions({ enabled, traffic }: RouteDetails): readonly RouteAction[] {
  if (!enabled) return ['enable', 'rate']
  if (traffic === 'paused') return ['open', 'rate', 'drain', 'disable']
  if (traffic === 'draining') return ['open', 'rate', 'pause', 'disable']
  return ['rate', 'pause', 'drain', 'disable']
}
