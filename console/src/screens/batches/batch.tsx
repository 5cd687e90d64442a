/** Page of a batch: how far it is, its pace, and why lines were refused and messages failed. */
import '../../components/section.css'
import './batches.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRead } from '../../api/queries.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Loading } from '../../components/Loading.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { BatchActions } from './BatchActions.tsx'
import { BatchBadge } from './BatchBadge.tsx'
import { Pace } from './Pace.tsx'
import { reportedShare, formatShare, type BatchDetails } from './progress.ts'
import { Legend, ProgressBar } from './ProgressBar.tsx'
import { Failures, Refusals } from './Reasons.tsx'
import { batchesTexts } from './texts.ts'

const route = getRouteApi('/batches/$id')
const everyMs = 2_000

export function BatchScreen() {
  const { id } = route.useParams()
  const t = useTexts(batchesTexts)
  const { language } = usePreferences()
  const read = useRead('showBatch', { params: { batchId: id }, query: { language } }, { everyMs })
  const { data: batch } = read
  const problem =
    read.error === null ? null : <ProblemNotice problem={read.error} onRetry={() => void read.refetch()} />
  if (batch === undefined)
    return (
      <>
        <PageHead title={t.title} />
        {problem ?? <Loading />}
      </>
    )
  return (
    <>
      <PageHead
        title={batch.ref ?? t.untitled}
        actions={<BatchActions batch={batch} />}
        hint={
          <span className="inline">
            <Link to="/batches">{t.all}</Link>
            <Link to="/accounts/$id" params={{ id: batch.account }}>
              {batch.account}
            </Link>
            <span className="mono">{id}</span>
            <CopyButton text={id} what={id} />
          </span>
        }
      >
        <BatchBadge state={batch.state} />
      </PageHead>
      {problem}
      <Progress batch={batch} />
      <Pace batch={batch} />
      <div className="halves">
        <Failures batch={batch} />
        <Refusals batch={batch} />
      </div>
      <Settings batch={batch} />
    </>
  )
}

function Progress({ batch }: { readonly batch: BatchDetails }) {
  const t = useTexts(batchesTexts)
  const { language } = usePreferences()
  const share = reportedShare(batch)
  const { lines, waiting, messages, open } = batch
  const count = (value: number): string => formatCount(value, language)
  return (
    <Section title={t.progress}>
      {lines === 0 ? (
        <p className="empty">{t.noLines}</p>
      ) : (
        <>
          <p className="batch-share">
            <strong className="number">{share === null ? '–' : formatShare(share)}</strong>{' '}
            <span className="muted">
              {share === null
                ? t.nothingToSend
                : t.reported(count(messages - open), count(waiting + messages))}
            </span>
          </p>
          <ProgressBar batch={batch} />
          <Legend batch={batch} />
        </>
      )}
    </Section>
  )
}

function Settings({ batch }: { readonly batch: BatchDetails }) {
  const t = useTexts(batchesTexts)
  const times = ['createdAt', 'startAt', 'startedAt', 'endBy', 'endedAt'] as const
  return (
    <Section title={t.settings}>
      <dl className="fact-list">
        {times.map((name) => {
          const at = batch[name]
          return at === null ? null : (
            <div key={name} className="fact">
              <dt>{t[name]}</dt>
              <dd>
                <Time at={at} />
              </dd>
            </div>
          )
        })}
        <dt>{t.duplicates}</dt>
        <dd>{t[`duplicates-${batch.duplicates}`]}</dd>
      </dl>
    </Section>
  )
}
