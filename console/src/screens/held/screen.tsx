/** Lists the messages that rules hold. An operator releases or refuses them, one or many at a time. */
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages, useRead } from '../../api/queries.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { useRight } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { PermissionNotice, RulesPage } from '../rules/page/RulesPage.tsx'
import { DecisionDialog, maxDecided, type HeldDecision, type HeldMessage } from './DecisionDialog.tsx'
import { HeldFilters } from './Filters.tsx'
import { heldTexts } from './texts.ts'
import { useHeldColumns } from './columns.tsx'

const route = getRouteApi('/rules')

export function HeldScreen() {
  const t = useTexts(heldTexts)
  const search = route.useSearch()
  const canDecide = useRight('messages')
  const held = usePages('listHeld', { query: { ...search, limit: 50 } }, { everyMs: 5_000 })
  const rules = useRead('listRules', {}).data?.rules ?? []
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [decision, setDecision] = useState<HeldDecision | null>(null)
  const [done, setDone] = useState('')
  // Messages that another operator has decided drop out of the selection.
  const chosen = held.rows.filter(({ msgKey }) => selected.has(msgKey)).slice(0, maxDecided)
  const toggle = (key: string): void => setSelected(toggleKey(selected, key))
  const decide = (action: HeldDecision['action'], messages: readonly HeldMessage[]): void => {
    setDone('')
    setDecision({ action, messages })
  }
  const columns = useHeldColumns({ rules, canDecide, selected, toggle, decide })
  const filtered = search.account !== undefined || search.rule !== undefined
  return (
    <RulesPage>
      <HeldFilters rows={held.rows} />
      {canDecide ? null : <PermissionNotice who="operators" />}
      {canDecide && held.rows.length > 0 ? (
        <div className="toolbar">
          <span aria-live="polite">{t.selected(chosen.length)}</span>
          <BulkButton
            label={t.releaseSelected}
            count={chosen.length}
            onClick={() => decide('release', chosen)}
          />
          <BulkButton
            label={t.refuseSelected}
            count={chosen.length}
            onClick={() => decide('refuse', chosen)}
          />
          <button
            type="button"
            className="button link"
            onClick={() => setSelected(new Set(chosen.length > 0 ? [] : selectableKeys(held.rows)))}
          >
            {chosen.length > 0 ? t.clearSelection : t.selectAll(Math.min(held.rows.length, maxDecided))}
          </button>
        </div>
      ) : null}
      <p role="status" className={done === '' ? 'hidden-visually' : undefined}>
        {done}
      </p>
      <DataTable
        caption={t.caption}
        columns={columns}
        pages={held}
        rowKey={({ msgKey }) => msgKey}
        empty={filtered ? t.emptyFiltered : t.empty}
      />
      {decision === null ? null : (
        <DecisionDialog
          decision={decision}
          onDone={(text) => {
            setDone(text)
            setSelected(new Set())
          }}
          onClose={() => setDecision(null)}
        />
      )}
    </RulesPage>
  )
}

function BulkButton(props: { readonly label: string; readonly count: number; readonly onClick: () => void }) {
  return (
    <button type="button" className="button" disabled={props.count === 0} onClick={props.onClick}>
      {props.label}
    </button>
  )
}

const selectableKeys = (rows: readonly HeldMessage[]): string[] =>
  rows.slice(0, maxDecided).map(({ msgKey }) => msgKey)

function toggleKey(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}
