import { Link } from '@tanstack/react-router'
import type { Data } from '../../../api/call.ts'
import { Age } from '../../../components/Age.tsx'
import type { Column } from '../../../components/DataTable.tsx'
import { ObjectLink } from '../../../components/ObjectLink.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { rulesTexts } from '../texts.ts'
import type { Decision } from './Decide.tsx'
import type { Held } from './held.ts'
import { heldTexts } from './texts.ts'

interface Options {
  readonly rules: Data<'listRules'>['rules']
  readonly mayDecide: boolean
  readonly selected: ReadonlySet<string>
  readonly toggle: (key: string) => void
  readonly decide: (act: Decision['act'], messages: readonly Held[]) => void
}

/** Who does not decide by then lets it end. */
const soonMs = 60 * 60_000

export function useHeldColumns(options: Options): readonly Column<Held>[] {
  const t = useTexts(heldTexts)
  const { account, ago, in: inWords } = useTexts(rulesTexts)
  const { rules, mayDecide, selected, toggle, decide } = options
  // The first sentence: the rest is on the page of the rule.
  const demands = new Map(rules.map((rule) => [rule.rule, rule.demands.replace(/\. .*$/s, '.')]))
  const select: Column<Held> = {
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
  const actions: Column<Held> = {
    id: 'actions',
    head: t.decide,
    cell: (row) => (
      <div className="row-actions">
        {(['release', 'refuse'] as const).map((act) => (
          <button key={act} type="button" className="button plain" onClick={() => decide(act, [row])}>
            {t[act]}
            <span className="hidden-visually"> {t.ofMessage(row.msgKey)}</span>
          </button>
        ))}
      </div>
    ),
  }
  return [
    ...(mayDecide ? [select] : []),
    {
      ...{ id: 'message', head: t.message, names: true },
      cell: ({ msgKey }) => (
        <span className="mono key">
          <ObjectLink screen="messages" id={msgKey} />
        </span>
      ),
    },
    {
      ...{ id: 'account', head: account },
      cell: (row) => <ObjectLink screen="accounts" id={row.account} />,
    },
    {
      ...{ id: 'rule', head: t.heldBy },
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
    { ...{ id: 'channel', head: t.channel }, cell: ({ channel }) => channel },
    { ...{ id: 'since', head: t.since }, cell: ({ since }) => <Age at={since} words={ago} /> },
    {
      ...{ id: 'ends', head: t.ends },
      cell: ({ dueAt }) => <Age at={dueAt} words={inWords} tone={toneOf(dueAt)} />,
    },
    ...(mayDecide ? [actions] : []),
  ]
}

function toneOf(dueAt: string): 'warn' | undefined {
  return Date.parse(dueAt) - Date.now() < soonMs ? 'warn' : undefined
}
