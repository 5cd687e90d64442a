/** Form for the settings of a route and the options of its connector, built from the connector's schema. */
import '../../../components/section.css'
import './edit.css'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type SyntheticEvent } from 'react'
import { toProblem, type Problem } from '../../../api/problem.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { Field, SelectField } from '../../../components/Field.tsx'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { SchemaFields, SchemaForm, type FieldWords } from '../../../components/schema-form/SchemaFields.tsx'
import { Section } from '../../../components/Section.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { createSettingsSchema, listChanges, startDraft, toBody } from './settings.ts'
import type { Connector, RouteDraft } from './settings.ts'
import { editTexts, optionTexts, settingTexts } from './texts.ts'

interface Props {
  readonly connectors: readonly Connector[]
  readonly initial: RouteDraft
  /** Version that was read; `null` creates a route. */
  readonly version: string | null
  /** Loads the route again and discards the edits. */
  readonly onReload?: () => void
}

const firstSettings = ['enabled', 'priority', 'partsPerSecond']

export function RouteForm({ connectors, initial, version, onReload }: Props) {
  const t = useTexts(editTexts)
  const navigate = useNavigate()
  const put = useChange('putRoute')
  const describe = useFieldWords()
  const [draft, setDraft] = useState(initial)
  const [confirming, setConfirming] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const { id, protocol, settings, options } = draft
  const connector = connectors.find((one) => one.protocol === protocol)
  const isNew = version === null
  const changes = isNew ? [] : listChanges(initial, draft)

  const save = async (reason: string): Promise<void> => {
    setProblem(null)
    const body = { ...toBody(draft), ...(reason === '' ? {} : { reason }) }
    try {
      await put.mutateAsync({ params: { routeId: id }, body, ifMatch: version ?? undefined })
    } catch (error) {
      // Show the error in the form, where it can be corrected.
      setProblem(toProblem(error))
      return
    }
    await navigate({ to: '/routes/$id', params: { id } })
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    setConfirming(true)
  }
  useEffect(() => {
    if (!confirming) document.querySelector<HTMLElement>('.route-form [aria-invalid]')?.focus()
  }, [problem, confirming])
  const refused =
    problem === null || problem.field === null ? null : { field: problem.field, message: problem.message }

  return (
    <>
      <form className="route-form" onSubmit={submit} onInvalidCapture={openDetails}>
        <SchemaForm describe={describe} refused={refused}>
          <Section title={t.route}>
            <div className="schema-fields">
              <Field
                label={t.id}
                value={id}
                onValue={(given) => setDraft({ ...draft, id: given })}
                required
                disabled={!isNew}
                pattern="[a-z0-9][a-z0-9\-]{0,31}"
                hint={t.idHint}
                autoComplete="off"
              />
              <SelectField
                label={t.connector}
                value={protocol}
                onValue={(name) =>
                  setDraft(
                    startDraft(
                      id,
                      connectors.find((one) => one.protocol === name)!,
                      draft,
                    ),
                  )
                }
                options={connectors.map((one) => [one.protocol, one.protocol])}
              />
            </div>
            {connector === undefined ? null : (
              <>
                <p className="small muted">{connector.summary}</p>
                <SchemaFields
                  key={protocol}
                  schema={createSettingsSchema(connector)}
                  value={settings}
                  onValue={(changed) => setDraft({ ...draft, settings: changed })}
                  foldsAfter={firstSettings}
                />
              </>
            )}
          </Section>
          {connector === undefined ? null : (
            <Section title={t.options(protocol)} hint={t.optionsHint}>
              <SchemaFields
                key={protocol}
                schema={connector.options}
                value={options}
                onValue={(changed) => setDraft({ ...draft, options: changed })}
                at="options."
                foldsAfter={[]}
              />
            </Section>
          )}
        </SchemaForm>
        {problem === null ? null : <ProblemNotice problem={problem} />}
        {problem?.code === 'stale' && onReload !== undefined ? (
          <p className="inline">
            {t.stale}
            <button type="button" className="button" onClick={onReload}>
              {t.reload}
            </button>
          </p>
        ) : null}
        <div className="section-actions">
          <button
            type="button"
            className="button"
            onClick={() =>
              void (isNew ? navigate({ to: '/routes' }) : navigate({ to: '/routes/$id', params: { id } }))
            }
          >
            {t.cancel}
          </button>
          <button type="submit" className="button primary" disabled={!isNew && changes.length === 0}>
            {isNew ? t.create : t.save}
          </button>
        </div>
      </form>
      {confirming ? (
        <Confirm
          title={isNew ? t.createTitle(id) : t.saveTitle(id)}
          confirmLabel={isNew ? t.create : t.save}
          reason="optional"
          onConfirm={save}
          onClose={() => setConfirming(false)}
        >
          <p>{isNew ? t.createEffect : t.saveEffect}</p>
          {changes.length === 0 ? null : (
            <p className="small">
              {t.changes} <span className="mono">{changes.join(', ')}</span>
            </p>
          )}
        </Confirm>
      ) : null}
    </>
  )
}

/** Opens the section of an invalid field, because browsers show validation messages only for visible fields. */
function openDetails({ target }: SyntheticEvent): void {
  const details = (target as Element).closest('details')
  if (details !== null) details.open = true
}

/** Returns translated labels of common fields. Options keep the description in their schema as the hint. */
function useFieldWords(): (path: string) => FieldWords {
  const settings: Readonly<Record<string, string>> = useTexts(settingTexts)
  const options: Readonly<Record<string, string>> = useTexts(optionTexts)
  return (path) => {
    if (!path.startsWith('options.')) return { label: settings[path], hint: settings[`${path}-hint`] }
    return { label: options[path.slice(path.lastIndexOf('.') + 1)] }
  }
}
