import { useNow } from '../../api/now-feed.ts'
import { Badge } from '../../components/Badge.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { Stat } from '../../components/Stat.tsx'
import { formatRate } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { nowTexts } from './texts.ts'

export function NowScreen() {
  const t = useTexts(nowTexts)
  const { now, problem } = useNow()
  return (
    <>
      <PageHead title={t.title}>
        {now === null ? null : now.alarms.length === 0 ? (
          <Badge tone="ok">{t.flowing}</Badge>
        ) : (
          <Badge tone="warn">{t.alarms(now.alarms.length)}</Badge>
        )}
      </PageHead>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      {now === null ? null : (
        <dl className="stats">
          <Stat label={t.accepted} value={formatRate(now.rates.accepted)} unit="/s" />
          <Stat label={t.delivered} value={formatRate(now.rates.delivered)} unit="/s" />
        </dl>
      )}
    </>
  )
}
