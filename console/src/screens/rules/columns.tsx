import type { Data } from '../../api/call.ts'
import { Badge } from '../../components/Badge.tsx'
import type { Column } from '../../components/DataTable.tsx'
import { Time } from '../../components/Time.tsx'
import { useTexts } from '../../texts/texts.ts'
import { rulesTexts } from './texts.ts'

export type Rule = Data<'listRules'>['rules'][number]

/** `onSwitch` is null if the operator lacks the right. */
export function useRuleColumns(onSwitch: ((rule: Rule) => void) | null): readonly Column<Rule>[] {
  const t = useTexts(rulesTexts)
  const change: Column<Rule> = {
    id: 'change',
    head: t.change,
    cell: (rule) =>
      rule.control === 'switch' ? (
        <button type="button" className="button plain" onClick={() => onSwitch?.(rule)}>
          {rule.enabled ? t.turnOff : t.turnOn}
          <span className="hidden-visually"> {rule.rule}</span>
        </button>
      ) : (
        '–'
      ),
  }
  return [
    {
      id: 'rule',
      head: t.rule,
      isRowHeader: true,
      cell: ({ rule, demands, settings }) => (
        <>
          <span className="mono">{rule}</span>
          <div className="small muted demands plain-weight" lang="en">
            {demands}
          </div>
          {settings.length === 0 ? null : (
            <div className="small muted plain-weight">{t.settings(settings.join(', '))}</div>
          )}
        </>
      ),
    },
    { id: 'state', head: t.state, cell: (rule) => <State rule={rule} /> },
    {
      id: 'enforced',
      head: t.enforced,
      cell: ({ enforcedAt, code }) => (
        <>
          <span lang="en">{enforcedAt.join(', ')}</span>
          {code === null ? null : <div className="small muted">{t.answers(code)}</div>}
        </>
      ),
    },
    { id: 'switched', head: t.switched, cell: (rule) => <Switched rule={rule} /> },
    ...(onSwitch === null ? [] : [change]),
  ]
}

function State({ rule: { control, enabled } }: { readonly rule: Rule }) {
  const t = useTexts(rulesTexts)
  if (control === 'always') return <Badge tone="ok">{t.always}</Badge>
  return enabled ? <Badge tone="ok">{t.on}</Badge> : <Badge tone="idle">{t.off}</Badge>
}

function Switched({ rule: { control, changedAt, changedBy, reason } }: { readonly rule: Rule }) {
  const t = useTexts(rulesTexts)
  if (control !== 'switch') return '–'
  if (changedAt === null) return <span className="muted">{t.never}</span>
  return (
    <div className="small">
      <Time at={changedAt} />
      <div>{t.by(changedBy ?? '')}</div>
      <div className="muted">{reason}</div>
    </div>
  )
}
