/** Messages that a rule holds: why, since when, until when, and the decision about one or many of them. */
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages, useRead } from '../../../api/queries.ts'
import { DataTable } from '../../../components/DataTable.tsx'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { MayNot, RulesPage } from '../RulesPage.tsx'
import { Decide, maxDecided, type Decision } from './Decide.tsx'
import { HeldFilters } from './Filters.tsx'
import type { Held } from './held.ts'
import { heldTexts } from './texts.ts'
import { useHeldColumns } from './columns.tsx'

const route = getRouteApi('/rules')

export function HeldScreen() {
  const t = useTexts(heldTexts)
  const search = route.useSearch()
  const mayDecide = useRight('messages')
  const held = usePages('listHeld', { query: { ...search, limit: 50 } }, { everyMs: 5_000 })
  const rules = useRead('listRules', {}).data?.rules ?? []
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [decision, setDecision] = useState<Decision | null>(null)
  const [done, setDone] = useState('')
  // What was decided meanwhile by somebody else is not selected any longer.
  const chosen = held.rows.filter(({ msgKey }) => selected.has(msgKey)).slice(0, maxDecided)
  const toggle = (key: string): void => setSelected(toggled(selected, key))
  const decide = (act: Decision['act'], messages: readonly Held[]): void => {
    setDone('')
    setDecision({ act, messages })
  }
  const columns = useHeldColumns({ rules, mayDecide, selected, toggle, decide })
  const filtered = search.account !== undefined || search.rule !== undefined
  return (
    <RulesPage>
      <HeldFilters rows={held.rows} />
      {mayDecide ? null : <MayNot who="operators" />}
      {mayDecide && held.rows.length > 0 ? (
        <div className="toolbar">
          <span aria-live="polite">{t.selected(chosen.length)}</span>
          <Act label={t.releaseSelected} count={chosen.length} onClick={() => decide('release', chosen)} />
          <Act label={t.refuseSelected} count={chosen.length} onClick={() => decide('refuse', chosen)} />
          <button
            type="button"
            className="button link"
            onClick={() => setSelected(new Set(chosen.length > 0 ? [] : keysOf(held.rows)))}
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
        <Decide
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

function Act(props: { readonly label: string; readonly count: number; readonly onClick: () => void }) {
  return (
    <button type="button" className="button" disabled={props.count === 0} onClick={props.onClick}>
      {props.label}
    </button>
  )
}

const keysOf = (rows: readonly Held[]): string[] => rows.slice(0, maxDecided).map(({ msgKey }) => msgKey)

function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}
