/** Lists the trust rules and turns those with a switch on and off. */
import { getRouteApi } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useRead } from '../../api/queries.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { useRight } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { PermissionNotice, RulesPage } from './page/RulesPage.tsx'
import { ruleStates, type RulesSearch } from './route.ts'
import { rulesPageTexts } from './page/texts.ts'
import { useRuleColumns, type Rule } from './columns.tsx'
import { SwitchRule } from './SwitchRule.tsx'
import { rulesTexts } from './texts.ts'

const route = getRouteApi('/rules/switches')

export function RulesScreen() {
  const t = useTexts(rulesTexts)
  const search = route.useSearch()
  const canSwitch = useRight('trust')
  const read = useRead('listRules', {}, { everyMs: 10_000 })
  const [selected, setSelected] = useState<Rule | null>(null)
  const columns = useRuleColumns(canSwitch ? setSelected : null)
  const pages = {
    rows: (read.data?.rules ?? []).filter((rule) => matches(rule, search)),
    loading: read.isPending,
    problem: read.error,
    hasMore: false,
    loadingMore: false,
    loadMore: () => undefined,
    reload: () => void read.refetch(),
  }
  return (
    <RulesPage>
      <Filters search={search} />
      {canSwitch ? null : <PermissionNotice who="admins" />}
      <DataTable
        caption={t.caption}
        columns={columns}
        pages={pages}
        rowKey={({ rule }) => rule}
        empty={t.empty}
      />
      {selected === null ? null : <SwitchRule rule={selected} onClose={() => setSelected(null)} />}
    </RulesPage>
  )
}

function matches({ rule, demands, control, enabled }: Rule, { state, find }: RulesSearch): boolean {
  const ruleState = control !== 'switch' ? 'fixed' : enabled ? 'on' : 'off'
  if (state !== undefined && ruleState !== state) return false
  const words = find?.toLowerCase() ?? ''
  return [rule, demands].some((text) => text.toLowerCase().includes(words))
}

function Filters({ search }: { readonly search: RulesSearch }) {
  const t = useTexts(rulesTexts)
  const { clearFilter } = useTexts(rulesPageTexts)
  const ids = { find: useId(), show: useId() }
  const navigate = route.useNavigate()
  const change = (changed: RulesSearch): void =>
    void navigate({ search: { ...search, ...changed }, replace: true })
  return (
    <div className="filters" role="search">
      <div className="field">
        <label htmlFor={ids.find}>{t.find}</label>
        <input
          id={ids.find}
          className="input"
          type="search"
          maxLength={100}
          value={search.find ?? ''}
          onChange={({ target: { value } }) => change({ find: value === '' ? undefined : value })}
        />
      </div>
      <div className="field">
        <label htmlFor={ids.show}>{t.show}</label>
        <select
          id={ids.show}
          className="select"
          value={search.state ?? ''}
          onChange={({ target: { value } }) => change({ state: ruleStates.find((state) => state === value) })}
        >
          <option value="">{t.all}</option>
          {ruleStates.map((state) => (
            <option key={state} value={state}>
              {t[`show-${state}`]}
            </option>
          ))}
        </select>
      </div>
      {search.find === undefined && search.state === undefined ? null : (
        <button type="button" className="button link" onClick={() => void navigate({ search: {} })}>
          {clearFilter}
        </button>
      )}
    </div>
  )
}
