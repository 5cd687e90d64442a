import './now.css'
import { useNow, type Now } from '../../api/now-feed.ts'
import { Badge } from '../../components/Badge.tsx'
import { Loading } from '../../components/Loading.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { Time } from '../../components/Time.tsx'
import { useTexts } from '../../texts/texts.ts'
import { Ages } from './Ages.tsx'
import { Alarms } from './Alarms.tsx'
import { FlowMap } from './FlowMap.tsx'
import { Parts } from './Parts.tsx'
import { Rates } from './Rates.tsx'
import { nowTexts } from './texts.ts'

export function NowScreen() {
  const t = useTexts(nowTexts)
  const { now, problem, history } = useNow()
  return (
    <>
      <PageHead
        title={t.title}
        actions={
          now === null ? undefined : (
            <span className="small muted">
              {t.readAt} <Time at={now.at} short />
            </span>
          )
        }
      >
        {now === null ? null : <Verdict now={now} />}
      </PageHead>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      {now === null ? (
        problem === null ? (
          <Loading />
        ) : null
      ) : (
        <>
          <Alarms alarms={now.alarms} />
          <Rates now={now} history={history} />
          <FlowMap now={now} />
          <div className="now-halves">
            <Ages ages={now.ages} at={now.at} />
            <Parts now={now} />
          </div>
        </>
      )}
    </>
  )
}

function Verdict({ now: { alarms, rates, flow } }: { readonly now: Now }) {
  const t = useTexts(nowTexts)
  if (alarms.some(({ severity }) => severity === 'critical')) return <Badge tone="bad">{t.standing}</Badge>
  if (alarms.length > 0) return <Badge tone="warn">{t.attention}</Badge>
  const busy = rates.accepted + (flow.recorded ?? 0) + (flow.submitted ?? 0) + rates.delivered > 0
  return busy ? <Badge tone="ok">{t.flowing}</Badge> : <Badge tone="idle">{t.idle}</Badge>
}
