/** Lists account caps and their usage in the current day or month. */
import { getRouteApi } from '@tanstack/react-router'
import { useId } from 'react'
import { usePages, type Item } from '../../api/queries.ts'
import { Badge } from '../../components/Badge.tsx'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { AccountFilter } from '../rules/page/AccountFilter.tsx'
import { RulesPage } from '../rules/page/RulesPage.tsx'
import { capExtents } from './route.ts'
import { rulesPageTexts } from '../rules/page/texts.ts'
import { capsTexts } from './texts.ts'

type Cap = Item<'listCaps'>

const route = getRouteApi('/rules/caps')
/** Percentages from which a cap is listed as nearly used, and from which it is marked. */
const levels = { listed: 70, warn: 90 } as const

export function CapsScreen() {
  const t = useTexts(capsTexts)
  const { account: accountHead } = useTexts(rulesPageTexts)
  const { account, show = 'nearly' } = route.useSearch()
  const usedPercent = show === 'all' ? undefined : levels.listed
  const caps = usePages('listCaps', { query: { account, usedPercent, limit: 50 } }, { everyMs: 10_000 })
  const columns: readonly Column<Cap>[] = [
    {
      id: 'account',
      head: accountHead,
      isRowHeader: true,
      cell: (cap) => <ObjectLink screen="accounts" id={cap.account} />,
    },
    { id: 'class', head: t.class, cell: (cap) => (cap.class === 'all' ? t.all : cap.class) },
    { id: 'period', head: t.period, cell: ({ period }) => t[period] },
    { id: 'used', head: t.used, cell: (cap) => <Used cap={cap} /> },
  ]
  return (
    <RulesPage>
      <p className="muted demands">
        {t.hint} <code>postern protection cap</code>
      </p>
      <Filters />
      <DataTable
        caption={t.caption}
        columns={columns}
        pages={caps}
        rowKey={(cap) => `${cap.account} ${cap.class} ${cap.period}`}
        empty={show === 'all' ? t.emptyAll : t.emptyNearly}
      />
    </RulesPage>
  )
}

function Filters() {
  const t = useTexts(capsTexts)
  const id = useId()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <AccountFilter
      account={search.account}
      filtered={search.account !== undefined}
      onChange={(account) => void navigate({ search: { ...search, account } })}
      onClear={() => void navigate({ search: {} })}
    >
      <div className="field">
        <label htmlFor={id}>{t.show}</label>
        <select
          id={id}
          className="select"
          value={search.show ?? 'nearly'}
          onChange={({ target: { value } }) =>
            void navigate({ search: { ...search, show: capExtents.find((extent) => extent === value) } })
          }
        >
          {capExtents.map((extent) => (
            <option key={extent} value={extent}>
              {t[`show-${extent}`]}
            </option>
          ))}
        </select>
      </div>
    </AccountFilter>
  )
}

function Used({ cap: { used, max } }: { readonly cap: Cap }) {
  const t = useTexts(capsTexts)
  const { language } = usePreferences()
  const percent = max === 0 ? 100 : Math.floor((100 * used) / max)
  const tone = percent >= 100 ? 'bad' : percent >= levels.warn ? 'warn' : undefined
  return (
    <div className="used">
      <span className="inline number">
        {t.usedOf(formatCount(used, language), formatCount(max, language), formatCount(percent, language))}
        {tone === undefined ? null : <Badge tone={tone}>{tone === 'bad' ? t.usedUp : t.nearly}</Badge>}
      </span>
      <div className={tone === undefined ? 'used-bar' : `used-bar ${tone}`} aria-hidden="true">
        <div style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
    </div>
  )
}
