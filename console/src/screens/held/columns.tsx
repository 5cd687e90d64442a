import { Link } from '@tanstack/react-router'
import type { Data } from '../../api/call.ts'
import { Age } from '../../components/Age.tsx'
import type { Column } from '../../components/DataTable.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { useTexts } from '../../texts/texts.ts'
import { rulesPageTexts } from '../rules/page/texts.ts'
import type { HeldDecision, HeldMessage } from './DecisionDialog.tsx'
import { heldTexts } from './texts.ts'

interface Options {
  readonly rules: Data<'listRules'>['rules']
  readonly canDecide: boolean
  readonly selected: ReadonlySet<string>
  readonly toggle: (key: string) => void
  readonly decide: (action: HeldDecision['action'], messages: readonly HeldMessage[]) => void
}

/** Messages that end undecided within this time are highlighted. */
const soonMs = 60 * 60_000

export function useHeldColumns(options: Options): readonly Column<HeldMessage>[] {
  const t = useTexts(heldTexts)
  const { account, ago, in: inWords } = useTexts(rulesPageTexts)
  const { rules, canDecide, selected, toggle, decide } = options
  // Only the first sentence; the rules screen shows the whole text.
  const demands = new Map(rules.map((rule) => [rule.rule, rule.demands.replace(/\. .*$/s, '.')]))
  const select: Column<HeldMessage> = {
    id: 'select',
    head: t.select,
    cell: ({ msgKey }) => (
      <input
        type="checkbox"
        aria-label={t.selectOne(msgKey)}
        checked={selected.has(msgKey)}
        onChange={() => toggle(msgKey)}
      />
    ),
  }
  const actions: Column<HeldMessage> = {
    id: 'actions',
    head: t.decide,
    cell: (row) => (
      <div className="row-actions">
        {(['release', 'refuse'] as const).map((action) => (
          <button key={action} type="button" className="button plain" onClick={() => decide(action, [row])}>
            {t[action]}
            <span className="hidden-visually"> {t.oneMessage(row.msgKey)}</span>
          </button>
        ))}
      </div>
    ),
  }
  return [
    ...(canDecide ? [select] : []),
    {
      id: 'message',
      head: t.message,
      isRowHeader: true,
      cell: ({ msgKey }) => (
        <span className="mono key">
          <ObjectLink screen="messages" id={msgKey} />
        </span>
      ),
    },
    { id: 'account', head: account, cell: (row) => <ObjectLink screen="accounts" id={row.account} /> },
    {
      id: 'rule',
      head: t.holdingRule,
      cell: ({ rule }) => (
        <>
          <Link to="/rules/switches" search={{ find: rule }} className="mono">
            {rule}
          </Link>
          <div className="small muted demands" lang="en">
            {demands.get(rule)}
          </div>
        </>
      ),
    },
    { id: 'channel', head: t.channel, cell: ({ channel }) => channel },
    { id: 'since', head: t.since, cell: ({ since }) => <Age at={since} words={ago} /> },
    {
      id: 'ends',
      head: t.ends,
      cell: ({ dueAt }) => <Age at={dueAt} words={inWords} tone={expiryTone(dueAt)} />,
    },
    ...(canDecide ? [actions] : []),
  ]
}

function expiryTone(dueAt: string): 'warn' | undefined {
  return Date.parse(dueAt) - Date.now() < soonMs ? 'warn' : undefined
}
