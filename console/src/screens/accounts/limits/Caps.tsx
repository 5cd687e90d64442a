import { useState } from 'react'
import type { Data } from '../../../api/call.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Section } from '../../../components/Section.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { useRight } from '../../../session/session.ts'
import { formatCount } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.ts'
import { ChangeCap } from './ChangeCap.tsx'
import { limitsTexts } from './texts.ts'

type Cap = Data<'showAccountState'>['caps'][number]

interface Props {
  readonly id: string
  readonly state: Data<'showAccountState'> | undefined
}

/** The same fraction as the lowest alert for used caps. */
const warnFraction = 0.7

export function Caps({ id, state }: Props) {
  const t = useTexts(limitsTexts)
  const mayChange = useRight('trust')
  const [changing, setChanging] = useState(false)
  const caps = state?.caps ?? []
  return (
    <Section
      title={t.caps}
      hint={t.capsHint}
      actions={
        mayChange ? (
          <button type="button" className="button" onClick={() => setChanging(true)}>
            {t.setCap}
          </button>
        ) : undefined
      }
    >
      {caps.length === 0 ? (
        <p className="muted">{t.noCaps}</p>
      ) : (
        <ul className="caps">
          {caps.map((cap) => (
            <CapRow key={`${cap.class} ${cap.period}`} cap={cap} />
          ))}
        </ul>
      )}
      {changing ? <ChangeCap id={id} caps={caps} onClose={() => setChanging(false)} /> : null}
    </Section>
  )
}

function CapRow({ cap: { class: capClass, period, max, used } }: { readonly cap: Cap }) {
  const t = useTexts(limitsTexts)
  const { language } = usePreferences()
  const usedFraction = max === 0 ? 1 : used / max
  const tone = usedFraction >= 1 ? 'bad' : usedFraction >= warnFraction ? 'warn' : ''
  const title = t.capOf(capClass === 'all' ? t.classAll : capClass, t[`period-${period}`])
  return (
    <li className={tone}>
      <span>
        {title}{' '}
        {tone === 'bad' ? (
          <Badge tone="bad">{t.usedUp}</Badge>
        ) : tone === 'warn' ? (
          <Badge tone="warn">{t.nearlyUsed}</Badge>
        ) : null}
      </span>
      <span className="number">{t.usedOf(formatCount(used, language), formatCount(max, language))}</span>
      <progress value={Math.min(used, max)} max={Math.max(max, 1)} aria-label={title} />
    </li>
  )
}
