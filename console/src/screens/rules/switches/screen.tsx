/** The rules: what each demands, whether it is on, where it comes from; those with a switch are turned on and off here. */
import { getRouteApi } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useRead } from '../../../api/queries.ts'
import { DataTable } from '../../../components/DataTable.tsx'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { MayNot, RulesPage } from '../RulesPage.tsx'
import { ruleStates, type SwitchesSearch } from '../search.ts'
import { rulesTexts } from '../texts.ts'
import { useRuleColumns } from './columns.tsx'
import type { Rule } from './rule.ts'
import { SwitchRule } from './SwitchRule.tsx'
import { switchesTexts } from './texts.ts'

const route = getRouteApi('/rules/switches')

export function SwitchesScreen() {
  const t = useTexts(switchesTexts)
  const search = route.useSearch()
  const maySwitch = useRight('trust')
  const read = useRead('listRules', {}, { everyMs: 10_000 })
  const [asked, setAsked] = useState<Rule | null>(null)
  const columns = useRuleColumns(maySwitch ? setAsked : null)
  const pages = {
    ...{ rows: (read.data?.rules ?? []).filter((rule) => matches(rule, search)), loading: read.isPending },
    ...{ problem: read.error, hasMore: false, loadingMore: false },
    ...{ loadMore: () => undefined, reload: () => void read.refetch() },
  }
  return (
    <RulesPage>
      <Filters search={search} />
      {maySwitch ? null : <MayNot who="admins" />}
      <DataTable
        caption={t.caption}
        columns={columns}
        pages={pages}
        rowKey={({ rule }) => rule}
        empty={t.empty}
      />
      {asked === null ? null : <SwitchRule rule={asked} onClose={() => setAsked(null)} />}
    </RulesPage>
  )
}

function matches({ rule, demands, control, enabled }: Rule, { state, find }: SwitchesSearch): boolean {
  const own = control !== 'switch' ? 'fixed' : enabled ? 'on' : 'off'
  if (state !== undefined && own !== state) return false
  const words = find?.toLowerCase() ?? ''
  return [rule, demands].some((text) => text.toLowerCase().includes(words))
}

function Filters({ search }: { readonly search: SwitchesSearch }) {
  const t = useTexts(switchesTexts)
  const { clearFilter } = useTexts(rulesTexts)
  const ids = { find: useId(), show: useId() }
  const navigate = route.useNavigate()
  const change = (changed: SwitchesSearch): void =>
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
