/** What recipients would see of messages over the sandbox: phones at the left, the phone that was chosen beside them, and how the carrier behaves. */
import './sandbox.css'
import { Link, useSearch } from '@tanstack/react-router'
import { useRead } from '../../api/queries.ts'
import { Loading } from '../../components/Loading.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { useRight, useSession } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { Behaviour } from './Behaviour.tsx'
import { ForTests } from './ForTests.tsx'
import { Numbers } from './Numbers.tsx'
import { Phone } from './Phone.tsx'
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
            {items.length === 0 ? <p className="card empty">{t.noMessages}</p> : <Numbers items={items} />}
          </section>
          <div className="sandbox-phone">
            {to === undefined ? (
              <p className="sandbox-choose muted">{t.choose}</p>
            ) : (
              <>
                <Link to="/sandbox" search={{}} className="sandbox-back">
                  ← {t.back}
                </Link>
                <Phone key={to} to={to} />
              </>
            )}
          </div>
          <div className="sandbox-side">
            <Behaviour />
            <ForTests to={to ?? items[0]?.to} />
          </div>
        </div>
      )}
    </>
  )
}
