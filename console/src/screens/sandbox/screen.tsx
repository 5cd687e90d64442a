/** Sandbox: simulated phones, the selected phone, and the behaviour of the carrier. */
import './sandbox.css'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useRead } from '../../api/queries.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Loading } from '../../components/Loading.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { useWidth } from '../../components/use-width.ts'
import { useRight, useSession } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { CarrierBehaviour } from './CarrierBehaviour.tsx'
import { Phone } from './Phone.tsx'
import { PhoneList } from './PhoneList.tsx'
import { sandboxTexts } from './texts.ts'

const everyMs = 1_500

export function SandboxScreen() {
  const t = useTexts(sandboxTexts)
  const allowed = useRight('sandbox')
  const enabled = useSession().operator?.sandboxPhones === true
  return (
    <>
      <PageHead title={t.title} hint={t.hint} />
      {allowed && enabled ? <Phones /> : <p className="card empty">{enabled ? t.noRight : t.off}</p>}
    </>
  )
}

function Phones() {
  const t = useTexts(sandboxTexts)
  const { to } = useSearch({ from: '/sandbox' })
  const numbers = useRead('listSandboxNumbers', {}, { everyMs })
  const items = numbers.data?.items ?? []
  const newest = numbers.isFetchedAfterMount ? items[0]?.to : undefined
  return (
    <>
      {numbers.error === null ? null : (
        <ProblemNotice problem={numbers.error} onRetry={() => void numbers.refetch()} />
      )}
      {numbers.data === undefined ? (
        numbers.error === null ? (
          <Loading />
        ) : null
      ) : numbers.data.routes === 0 ? (
        <div className="card empty">
          <p>{t.noRoutes}</p>
          <p>
            <code>postern route put sandbox --protocol sandbox --channels sms,mms,rcs,alimtalk</code>
          </p>
        </div>
      ) : (
        <div className="sandbox" data-chosen={to !== undefined}>
          <section className="sandbox-list" aria-labelledby="phones-title">
            <h2 id="phones-title">{t.phones}</h2>
            {items.length === 0 ? <p className="card empty">{t.noMessages}</p> : <PhoneList items={items} />}
          </section>
          <div className="sandbox-phone">
            {to !== undefined ? (
              <>
                <Link to="/sandbox" search={{}} className="sandbox-back">
                  ← {t.back}
                </Link>
                <Phone key={to} to={to} />
              </>
            ) : newest === undefined ? null : (
              <OpenNewest newest={newest} />
            )}
          </div>
          <div className="sandbox-side">
            <CarrierBehaviour />
            <InboxCommand to={to ?? items[0]?.to} />
          </div>
        </div>
      )}
    </>
  )
}

/**
 * Opens a phone in the place where it is shown. The address keeps it, so that a later message to another phone does not replace it.
 * The narrow layout hides the place until a phone is chosen, because it shows either the list or a phone.
 */
function OpenNewest({ newest }: { readonly newest: string }) {
  const place = useRef<HTMLDivElement>(null)
  const isShown = useWidth(place) > 0
  return <div ref={place}>{isShown ? <Navigate to="/sandbox" search={{ to: newest }} replace /> : null}</div>
}

/** Shows the API request with which a client's test reads the inbox of a phone. */
function InboxCommand({ to = '01012340001' }: { readonly to: string | undefined }) {
  const t = useTexts(sandboxTexts)
  const url = `${location.origin}/admin/v1/sandbox/messages?to=${encodeURIComponent(to)}&delivered=true&wait=10`
  const command = `curl -s -H "Authorization: Bearer $POSTERN_OPERATOR_KEY" "${url}"`
  return (
    <section className="card for-tests" aria-labelledby="tests-title">
      <h2 id="tests-title">{t.forTests}</h2>
      <p className="small muted">{t.forTestsHint}</p>
      <pre className="small" tabIndex={0}>
        {command}
      </pre>
      <CopyButton text={command} what={t.command} />
    </section>
  )
}
