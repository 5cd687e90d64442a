/** What an operator can do to a route. Each act opens a dialog that shows what it would do to what waits. */
import { useState } from 'react'
import { Done } from '../../../components/Done.tsx'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { RouteDetails } from '../figures.ts'
import type { ActName } from './act-name.ts'
import { ActDialog } from './ActDialog.tsx'
import { actTexts } from './texts.ts'

export function Acts({ route }: { readonly route: RouteDetails }) {
  const t = useTexts(actTexts)
  const may = useRight('routes')
  const [chosen, setChosen] = useState<ActName | null>(null)
  const [last, setLast] = useState<ActName | null>(null)
  if (!may) return <p className="small muted">{t.mayNot}</p>
  return (
    <section className="acts" aria-labelledby="acts-title">
      <h2 id="acts-title" className="hidden-visually">
        {t.acts}
      </h2>
      {actsFor(route).map((act) => (
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
        <ActDialog
          route={route}
          act={chosen}
          onDone={() => setLast(chosen)}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  )
}

/** Only what changes something. */
function actsFor({ enabled, traffic }: RouteDetails): readonly ActName[] {
  if (!enabled) return ['enable', 'rate']
  if (traffic === 'paused') return ['open', 'rate', 'drain', 'disable']
  if (traffic === 'draining') return ['open', 'rate', 'pause', 'disable']
  return ['rate', 'pause', 'drain', 'disable']
}
