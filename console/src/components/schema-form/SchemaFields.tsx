/**
 * Form fields built from a JSON Schema. Omitted values stay out of the object, so that the server applies its defaults. The
 * description of a field is its hint, in the language of the schema.
 */
import './schema-form.css'
import { createContext, use, useId, useState, type ReactNode } from 'react'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { Hint, type ShownWords } from './Hint.tsx'
import { MapField } from './MapField.tsx'
import { asFields, chooseControl, isEssential, isRequired, setField } from './schema.ts'
import type { Fields, FieldSchema } from './schema.ts'
import { schemaTexts } from './texts.ts'
import { ValueControl } from './ValueControl.tsx'

export interface FieldWords {
  readonly label?: string | undefined
  readonly hint?: string | undefined
}

interface FormWords {
  /** Returns the label and hint of a field; the schema describes fields without them. */
  readonly describe: (path: string) => FieldWords
  /** Error of the server for one field. */
  readonly refused: { readonly field: string; readonly message: string } | null
}

const FormContext = createContext<FormWords>({ describe: () => ({}), refused: null })

export function SchemaForm({ children, ...words }: FormWords & { readonly children: ReactNode }) {
  return <FormContext value={words}>{children}</FormContext>
}

interface FieldsProps {
  readonly schema: FieldSchema
  readonly value: Fields
  readonly onValue: (value: Fields) => void
  /** Path of the object with a trailing dot, or an empty string. */
  readonly at?: string
  /** Collapses optional fields, except these, `isEssential` ones and those that had a value when the form opened. */
  readonly foldsAfter?: readonly string[]
}

export function SchemaFields({ schema, value, onValue, at = '', foldsAfter }: FieldsProps) {
  const t = useTexts(schemaTexts)
  const { language } = usePreferences()
  const { refused } = use(FormContext)
  const names = Object.keys(schema.properties ?? {})
  // Fields must not move while they are edited.
  const [initial] = useState(value)
  const isFirst = (name: string): boolean =>
    foldsAfter === undefined || foldsAfter.includes(name) || isEssential(schema, name) || name in initial
  const show = (name: string) => (
    <SchemaField
      key={name}
      name={name}
      path={at + name}
      schema={schema.properties![name]!}
      required={isRequired(schema, name)}
      value={value[name]}
      onValue={(changed) => onValue(setField(value, name, changed))}
    />
  )
  const others = names.filter((name) => !isFirst(name))
  const isRefused = others.some((name) => isBelow(refused?.field ?? '', at + name))
  return (
    <div className="schema-fields">
      {names.filter(isFirst).map(show)}
      {others.length === 0 ? null : (
        <details className="schema-more" open={isRefused || undefined}>
          <summary>{t.more(formatCount(others.length, language))}</summary>
          <div className="schema-fields">{others.map(show)}</div>
        </details>
      )}
    </div>
  )
}

interface FieldProps {
  readonly name: string
  readonly path: string
  readonly schema: FieldSchema
  readonly required: boolean
  readonly value: unknown
  readonly onValue: (value: unknown) => void
}

function SchemaField(props: FieldProps) {
  const { schema, path, name, value, onValue, required } = props
  const { describe } = use(FormContext)
  const { label = name, hint } = describe(path)
  // Descriptions in the schema refer to fields by their schema names.
  const isNamed = hint !== undefined || label.toLowerCase() === name.toLowerCase()
  const shownName = isNamed ? null : name
  const words = { label, hint: hint ?? schema.description, shownName }
  switch (chooseControl(schema)) {
    case 'group':
      return <GroupField {...props} {...words} />
    case 'map':
      return <MapField schema={schema} value={asFields(value)} onValue={onValue} {...words} />
    default:
      return (
        <SingleField
          schema={schema}
          path={path}
          value={value}
          onValue={onValue}
          required={required}
          {...words}
        />
      )
  }
}

/** An optional group is omitted until it is enabled, because an empty object can differ from an absent one. */
function GroupField({ schema, path, value, onValue, required, ...words }: FieldProps & ShownWords) {
  const t = useTexts(schemaTexts)
  const hintId = useId()
  const isOptional = !required && schema.default === undefined
  const isSet = value !== undefined || !isOptional
  const change = (fields: Fields): void =>
    onValue(Object.keys(fields).length === 0 && !isOptional && !required ? undefined : fields)
  return (
    <fieldset className="schema-group" aria-describedby={hintId}>
      <legend>{words.label}</legend>
      <Hint id={hintId} {...words} />
      {isOptional ? (
        <label className="choice">
          <input
            type="checkbox"
            checked={isSet}
            onChange={(event) => onValue(event.target.checked ? {} : undefined)}
          />
          {t.use(words.label)}
        </label>
      ) : null}
      {isSet ? (
        <SchemaFields schema={schema} value={asFields(value)} onValue={change} at={`${path}.`} />
      ) : null}
    </fieldset>
  )
}

type SingleProps = Omit<FieldProps, 'name'> & ShownWords

function SingleField({ schema, path, value, onValue, required, ...words }: SingleProps) {
  const { refused } = use(FormContext)
  const ids = { input: useId(), hint: useId() }
  const problem = refused?.field === path ? refused.message : null
  const t = useTexts(schemaTexts)
  const control = chooseControl(schema)
  const { label } = words
  const isWide = ['json', 'lines', 'list', 'choices'].includes(control)
  return (
    <div className={isWide ? 'field schema-wide' : 'field'}>
      {control === 'boolean' || control === 'choices' ? null : (
        <label htmlFor={ids.input}>
          {label} {required ? <span className="small muted">({t.required})</span> : null}
        </label>
      )}
      <ValueControl
        id={ids.input}
        hintId={ids.hint}
        schema={schema}
        value={value}
        onValue={onValue}
        required={required}
        label={label}
        invalid={problem !== null}
      />
      <Hint id={ids.hint} {...words} problem={problem} secret={schema.secret === true} />
    </div>
  )
}

/** Reports whether a field is at a path or below it. */
function isBelow(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`)
}
