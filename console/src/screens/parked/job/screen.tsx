import '../parked.css'
import './job.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../../api/queries.ts'
import { Done } from '../../../components/Done.tsx'
import { Loading } from '../../../components/Loading.tsx'
import { PageHead } from '../../../components/PageHead.tsx'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { findCause } from '../causes.ts'
import type { Tally } from '../jobs.ts'
import { RetrySummary } from '../RetrySummary.tsx'
import { causeTexts } from '../texts.ts'
import { About } from './About.tsx'
import { Content } from './Content.tsx'
import { JobDecision, type JobDetails } from './JobDecision.tsx'
import { jobTexts } from './texts.ts'

const routeApi = getRouteApi('/parked/$id')

export function ParkedJobScreen() {
  const t = useTexts(jobTexts)
  const { id } = routeApi.useParams()
  const number = Number(id)
  const isNumber = Number.isSafeInteger(number) && number > 0
  return (
    <>
      <nav className="small" aria-label={t.back}>
        <Link to="/parked">← {t.back}</Link>
      </nav>
      <PageHead title={t.title(id)} />
      {isNumber ? <Job key={number} id={number} /> : <p className="card empty">{t.notANumber}</p>}
    </>
  )
}

/** Decision made on this page. */
type Decided =
  | { readonly kind: 'retried'; readonly tally: Tally }
  | { readonly kind: 'dropped'; readonly stage: JobDetails['stage'] }

function Job({ id }: { readonly id: number }) {
  const t = useTexts(jobTexts)
  const [decided, setDecided] = useState<Decided | null>(null)
  const { data, error, refetch } = useRead('showParked', { params: { id } }, { enabled: decided === null })
  if (decided?.kind === 'retried') return <RetrySummary tally={decided.tally} />
  if (decided?.kind === 'dropped') return <Done label={t.dropped}>{t[`drop-${decided.stage}`]}</Done>
  if (error !== null)
    return (
      <>
        {error.code === 'not-found' ? <p className="card empty">{t.gone}</p> : null}
        <ProblemNotice problem={error} onRetry={() => void refetch()} />
      </>
    )
  if (data === undefined) return <Loading />
  return (
    <>
      <Why job={data} />
      <JobDecision
        job={data}
        onRetried={(tally) => setDecided({ kind: 'retried', tally })}
        onDropped={() => setDecided({ kind: 'dropped', stage: data.stage })}
      />
      <About job={data} />
      <Content job={data} />
    </>
  )
}

function Why({ job: { stage, reason } }: { readonly job: JobDetails }) {
  const t = useTexts(jobTexts)
  const causes = useTexts(causeTexts)
  const cause = findCause(stage, reason)
  return (
    <section className="card why" aria-labelledby="why-title">
      <h2 id="why-title">{t.why}</h2>
      <p>
        {reason === null ? null : <code>{reason}</code>} {causes[`meaning-${cause}`]}
      </p>
      <p>
        <strong>{t.whatToDo}:</strong> {causes[`action-${cause}`]}
      </p>
    </section>
  )
}
