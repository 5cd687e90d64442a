import { getRouteApi } from '@tanstack/react-router'
import { useId } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { AccountFilter } from '../rules/page/AccountFilter.tsx'
import type { HeldMessage } from './DecisionDialog.tsx'
import { heldTexts } from './texts.ts'

const route = getRouteApi('/rules')

export function HeldFilters({ rows }: { readonly rows: readonly HeldMessage[] }) {
  const t = useTexts(heldTexts)
  const id = useId()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const ruleNames = new Set(rows.map(({ rule }) => rule))
  if (search.rule !== undefined) ruleNames.add(search.rule)
  return (
    <AccountFilter
      account={search.account}
      filtered={search.account !== undefined || search.rule !== undefined}
      onChange={(account) => void navigate({ search: { ...search, account } })}
      onClear={() => void navigate({ search: {} })}
    >
      <div className="field">
        <label htmlFor={id}>{t.rule}</label>
        <select
          id={id}
          className="select"
          value={search.rule ?? ''}
          onChange={({ target: { value } }) =>
            void navigate({ search: { ...search, rule: value === '' ? undefined : value } })
          }
        >
          <option value="">{t.anyRule}</option>
          {[...ruleNames].sort().map((rule) => (
            <option key={rule}>{rule}</option>
          ))}
        </select>
      </div>
    </AccountFilter>
  )
}
