/** Accepted, submitted, delivered and failed rates with curves of the last minutes. */
import type { Now } from '../../api/now-feed.ts'
import { Sparkline } from '../../components/Sparkline.tsx'
import { Stat } from '../../components/Stat.tsx'
import { formatRate } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { nowTexts } from './texts.ts'

interface Props {
  readonly now: Now
  readonly history: readonly Now[]
}

export function Rates({ now, history }: Props) {
  const t = useTexts(nowTexts)
  const { rates, flow } = now
  const curve = (of: (now: Now) => number | null) => <Sparkline values={history.map((one) => of(one) ?? 0)} />
  return (
    <section aria-labelledby="rates-title">
      <h2 id="rates-title" className="hidden-visually">
        {t.rates}
      </h2>
      <dl className="stats">
        <Stat
          label={t.accepted}
          value={formatRate(flow.recorded ?? rates.accepted)}
          unit={t.perSecond}
          hint={flow.recorded === null ? t.lastMinute : t.nowMeasured}
        >
          {curve((one) => one.flow.recorded ?? one.rates.accepted)}
        </Stat>
        <Stat
          label={t.submitted}
          value={formatRate(flow.submitted)}
          unit={t.partsPerSecond}
          hint={t.nowMeasured}
        >
          {curve((one) => one.flow.submitted)}
        </Stat>
        <Stat label={t.delivered} value={formatRate(flow.delivered)} unit={t.perSecond} hint={t.lastMinutes}>
          {curve((one) => one.flow.delivered)}
        </Stat>
        <Stat
          label={t.failed}
          value={formatRate(flow.failed)}
          unit={t.perSecond}
          hint={t.lastMinutes}
          tone={flow.failed > flow.delivered ? 'bad' : flow.failed * 5 > flow.delivered ? 'warn' : undefined}
        >
          {curve((one) => one.flow.failed)}
        </Stat>
      </dl>
    </section>
  )
}
