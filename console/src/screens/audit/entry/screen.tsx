import '../audit.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Data } from '../../../api/call.ts'
import { useRead } from '../../../api/queries.ts'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Loading } from '../../../components/Loading.tsx'
import { ObjectLink } from '../../../components/ObjectLink.tsx'
import { PageHead } from '../../../components/PageHead.tsx'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { Time } from '../../../components/Time.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { Result } from '../Result.tsx'
import { Differences } from './Differences.tsx'
import { entryTexts } from './texts.ts'

const route = getRouteApi('/audit/$seq')

export function AuditEntryScreen() {
  const t = useTexts(entryTexts)
  const { seq: given } = route.useParams()
  const seq = Number(given)
  const isRowNumber = Number.isSafeInteger(seq) && seq >= 1
  const { data, error, isPlaceholderData } = useRead(
    'showAudit',
    { params: { id: seq } },
    { enabled: isRowNumber },
  )
  const row = isPlaceholderData ? undefined : data
  return (
    <>
      <PageHead
        title={isRowNumber ? t.title(given) : t.unknownTitle}
        actions={
          <>
            <Link className="button" to="/audit">
              {t.back}
            </Link>
            {isRowNumber && seq > 1 ? <Step to={seq - 1}>{t.previous}</Step> : null}
            {row === undefined ? null : <Step to={seq + 1}>{t.next}</Step>}
          </>
        }
      >
        {row === undefined ? null : <Result result={row.result} />}
      </PageHead>
      {error === null ? null : <ProblemNotice problem={error} />}
      {row === undefined ? (
        isRowNumber && error === null ? (
          <Loading />
        ) : null
      ) : (
        <>
          <Facts row={row} />
          <Differences details={row.details} />
        </>
      )}
    </>
  )
}

function Step({ to, children }: { readonly to: number; readonly children: ReactNode }) {
  return (
    <Link className="button" to="/audit/$seq" params={{ seq: String(to) }}>
      {children}
    </Link>
  )
}

function Facts({ row }: { readonly row: Data<'showAudit'> }) {
  const t = useTexts(entryTexts)
  return (
    <section className="card" aria-labelledby="facts-title">
      <h2 id="facts-title">{t.facts}</h2>
      <dl className="audit-facts">
        <Fact label={t.time}>
          <Time at={row.at} />
        </Fact>
        <Fact label={t.who}>
          <Link to="/audit" search={{ actor: row.actor }}>
            {row.actor}
          </Link>{' '}
          <span className="muted">({row.role})</span>
        </Fact>
        <Fact label={t.act}>
          <Link to="/audit" search={{ action: row.action }}>
            {row.action}
          </Link>
        </Fact>
        <Fact label={t.object}>
          <Link to="/audit" search={{ target: row.target }}>
            {row.target}
          </Link>
        </Fact>
        {row.account === null ? null : (
          <Fact label={t.account}>
            <ObjectLink screen="accounts" id={row.account} />
          </Fact>
        )}
        <Fact label={t.reason}>{row.reason}</Fact>
        <Fact label={t.source}>{row.source}</Fact>
        {row.keyId === null ? null : <Fact label={t.key}>{row.keyId}</Fact>}
        <Fact label={t.databaseUser}>{row.databaseUser}</Fact>
        <Fact label={t.request}>
          <code>{row.requestId}</code>{' '}
          <Link to="/audit" search={{ requestId: row.requestId }}>
            {t.allOfRequest}
          </Link>
        </Fact>
        <Fact label={t.hash}>
          <code>{row.hash}</code> <CopyButton text={row.hash} what={t.hash} />
        </Fact>
        <Fact label={t.previousHash}>
          <code>{row.previousHash}</code>
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  )
}
