import { useState, type ReactNode } from 'react'
import type { Data } from '../../../api/call.ts'
import { Section } from '../../../components/Section.tsx'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { accountsTexts } from '../texts.ts'
import { ChangeLimits, families } from './ChangeLimits.tsx'
import { limitsTexts } from './texts.ts'

interface Props {
  readonly account: Data<'showAccount'>
  readonly state: Data<'showAccountState'> | undefined
}

export function Limits({ account, state }: Props) {
  const t = useTexts(limitsTexts)
  const listTexts = useTexts(accountsTexts)
  const mayChange = useRight('accounts')
  const [changing, setChanging] = useState(false)
  const rate = (limit: number | undefined): string =>
    limit === undefined ? '–' : limit === 0 ? listTexts.unlimited : listTexts.perSecond(limit)
  const { eraseAfterDays } = account
  const countries = state?.countries ?? []
  return (
    <Section
      title={t.title}
      actions={
        mayChange ? (
          <button type="button" className="button" onClick={() => setChanging(true)}>
            {t.change}
          </button>
        ) : undefined
      }
    >
      <dl className="fact-list">
        {families.map((family) => (
          <Fact key={family} name={t[`family-${family}`]}>
            <span className="number">{rate(account.limits[family] ?? state?.configuredLimits[family])}</span>{' '}
            {account.limits[family] === null ? <span className="small muted">{t.standard}</span> : null}
          </Fact>
        ))}
        {account.weight === undefined ? null : (
          <>
            <Fact name={listTexts.lane}>{listTexts[`lane-${account.lane ?? 'by-kind'}`]}</Fact>
            <Fact name={listTexts.weight}>{account.weight}</Fact>
          </>
        )}
        <Fact name={t.batchMegabytes}>{account.batchMegabytes}</Fact>
        <Fact name={t.polling}>{account.polling ? t.allowed : t.notAllowed}</Fact>
        <Fact name={t.smartEncoding}>{account.smartEncoding ? t.on : t.off}</Fact>
        <Fact name={t.erase}>{eraseAfterDays === null ? t.eraseNever : t.eraseAfter(eraseAfterDays)}</Fact>
        <Fact name={t.fallback}>{t[`fallback-${account.uncertainFallback}`]}</Fact>
        <Fact name={t.countries}>
          {countries.includes('*') ? t.allCountries : countries.join(', ') || t.noCountries}
        </Fact>
      </dl>
      {changing ? <ChangeLimits account={account} onClose={() => setChanging(false)} /> : null}
    </Section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
